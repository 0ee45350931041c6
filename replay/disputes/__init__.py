"""What is likely where witnesses of a judged round differ; it informs people, settles nothing."""
