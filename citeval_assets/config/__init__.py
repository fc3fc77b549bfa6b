"""``citeval.yaml``: read strictly, checked whole, handed on as typed settings."""

from citeval_assets.config.api_keys import ApiKey, KeyUnreadable, find_key
from citeval_assets.config.data import (
    DatasetConfig,
    RetrieverConfig,
    RetrieverKind,
    SystemConfig,
)
from citeval_assets.config.errors import ConfigError, ConfigProblem
from citeval_assets.config.fields import Road, Role, Split, Stage
from citeval_assets.config.gates import (
    AllowedFailure,
    BudgetConfig,
    CalibrationConfig,
    Compared,
    Direction,
    GateConfig,
    GateMode,
    Metric,
    MetricRule,
    ReviewConfig,
    SamplingConfig,
)
from citeval_assets.config.loading import CONFIG_FILE, load_settings, read_config
from citeval_assets.config.models import ModelConfig, ModelLimits, ModelPrice
from citeval_assets.config.secrets import SecretInConfig, find_secrets, refuse_secrets
from citeval_assets.config.settings import ConfigFile, Settings, StorageConfig, UnknownModel

__all__ = [
    "CONFIG_FILE",
    "AllowedFailure",
    "ApiKey",
    "BudgetConfig",
    "CalibrationConfig",
    "Compared",
    "ConfigError",
    "ConfigFile",
    "ConfigProblem",
    "DatasetConfig",
    "Direction",
    "GateConfig",
    "GateMode",
    "KeyUnreadable",
    "Metric",
    "MetricRule",
    "ModelConfig",
    "ModelLimits",
    "ModelPrice",
    "RetrieverConfig",
    "RetrieverKind",
    "ReviewConfig",
    "Road",
    "Role",
    "SamplingConfig",
    "SecretInConfig",
    "Settings",
    "Split",
    "Stage",
    "StorageConfig",
    "SystemConfig",
    "UnknownModel",
    "find_key",
    "find_secrets",
    "load_settings",
    "read_config",
    "refuse_secrets",
]
