SELECT *
FROM calibration
ORDER BY playbook, model, prompt_version, label_source;
