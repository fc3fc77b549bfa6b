"""``citeval.yaml``: read strictly, checked whole, handed on as typed settings."""

from citeval_assets.config.data import (
    DatasetConfig,
    RetrieverConfig,
    RetrieverKind,
    SystemConfig,
)
from citeval_assets.config.errors import ConfigError, ConfigProblem
from citeval_assets.config.fields import Role, Split, Stage
from citeval_assets.config.gates import (
    BudgetConfig,
    CalibrationConfig,
    Compared,
    GateConfig,
    GateMode,
    ReviewConfig,
    SamplingConfig,
)
from citeval_assets.config.loading import CONFIG_FILE, load_settings, read_config
from citeval_assets.config.models import ModelConfig, ModelLimits, ModelPrice
from citeval_assets.config.secrets import SecretInConfig, find_secrets, refuse_secrets
from citeval_assets.config.settings import ConfigFile, Settings, StorageConfig, UnknownModel

__all__ = [
    "CONFIG_FILE",
    "BudgetConfig",
    "CalibrationConfig",
    "Compared",
    "ConfigError",
    "ConfigFile",
    "ConfigProblem",
    "DatasetConfig",
    "GateConfig",
    "GateMode",
    "ModelConfig",
    "ModelLimits",
    "ModelPrice",
    "RetrieverConfig",
    "RetrieverKind",
    "ReviewConfig",
    "Role",
    "SamplingConfig",
    "SecretInConfig",
    "Settings",
    "Split",
    "Stage",
    "StorageConfig",
    "SystemConfig",
    "UnknownModel",
    "find_secrets",
    "load_settings",
    "read_config",
    "refuse_secrets",
]
