"""The settings of the house: flag over environment over file over default."""

import os
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any, NamedTuple

import typer
from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from audit.errors import Code, Stopped

FILE = "roundproof.toml"
PREFIX = "ROUNDPROOF_"


class Settings(BaseSettings):
    """Every setting, with its default."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, toml_file=FILE, extra="forbid", frozen=True
    )

    home: Path = Field(Path("var"), description="folder of the log and everything derived from it")
    workers: int = Field(os.cpu_count() or 1, ge=1, le=256, description="processes of a replay")
    zone: str = Field("Asia/Ho_Chi_Minh", description="time zone of the venue, for people to read")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags first, then the environment, then the file."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


class Origin(NamedTuple):
    """One setting, its value and where that came from."""

    name: str
    value: str
    origin: str
    about: str


def load(flags: dict[str, Any] | None = None) -> Settings:
    """The settings in force; a flag that was not given counts as absent."""
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    try:
        return Settings(**given)
    except TOMLDecodeError as error:
        raise Stopped(f"{FILE}: {error}", f"correct {FILE}, or move it away", Code.USAGE) from error
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise Stopped(
            f"setting {name}: {first['msg']}, {first['input']!r} found",
            "roundproof config show --origin says where each value comes from",
            Code.USAGE,
        ) from error


def of(ctx: typer.Context) -> Settings:
    """The settings the command line was started with."""
    return ctx.obj if isinstance(ctx.obj, Settings) else load()


def origins(settings: Settings) -> list[Origin]:
    """Every setting with the place its value came from."""
    sources = [
        ("file " + FILE, TomlConfigSettingsSource(Settings)()),
        (
            "environment",
            {n: 1 for n in Settings.model_fields if os.environ.get(PREFIX + n.upper())},
        ),
    ]
    found = dict.fromkeys(Settings.model_fields, "default")
    for origin, values in sources:
        found |= {name: origin for name in values if name in found}
    plain = load()
    rows = []
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        origin = found[name] if value == getattr(plain, name) else "flag"
        if origin == "environment":
            origin = f"environment {PREFIX}{name.upper()}"
        rows.append(Origin(name, str(value), origin, field.description or ""))
    return rows
