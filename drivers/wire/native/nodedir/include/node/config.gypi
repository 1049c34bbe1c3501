{'target_defaults': {}, 'variables': {}}
