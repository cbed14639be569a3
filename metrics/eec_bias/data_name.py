"""The name of the rows that were scored, and how a table carries it."""

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class DataName:
    """Name the rows that were scored; no character of the name has a meaning.

    Attributes
    ----------
    name : str
        Of the corpus, file or table; empty if nobody named it.
    version : str
        Of a corpus; empty for other data.
    digest : str
        The first hexadecimal digits of a checksum of the rows; empty if it is not known.
    """

    name: str = ""
    version: str = ""
    digest: str = ""

    @property
    def title(self) -> str:
        """Name and version, ``es-anglo-latino@1.0.0``; empty without a name."""
        return f"{self.name}@{self.version}" if self.version else self.name

    def __str__(self) -> str:
        if not self.name:
            return "?"
        return f"{self.title}#{self.digest}" if self.digest else self.title

    @classmethod
    def of_table(cls, table: Any) -> Self:
        """Read the name that an arrow table carries; without a digest if only eec_datasets named the corpus."""
        metadata = table.schema.metadata or {}
        name, version, digest = (metadata.get(key, b"").decode() for key in (b"config", b"version", b"digest"))
        return cls(name, version, digest)

    def onto(self, table: Any) -> Any:
        """Return an arrow table that carries this name, which `measure` reads."""
        parts = {"config": self.name, "version": self.version, "digest": self.digest}
        return table.replace_schema_metadata({**(table.schema.metadata or {}), **parts})
