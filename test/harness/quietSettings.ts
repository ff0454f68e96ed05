/** User settings that every run starts from: quiet, offline, and no question that is not under test. */
export const quietSettings = {
	'telemetry.telemetryLevel': 'off',
	'workbench.startupEditor': 'none',
	'workbench.enableExperiments': false,
	'workbench.secondarySideBar.defaultVisibility': 'hidden',
	'extensions.autoCheckUpdates': false,
	'extensions.autoUpdate': false,
	'extensions.ignoreRecommendations': true,
	'chat.disableAIFeatures': true,
	'git.openRepositoryInParentFolders': 'never',
	'git.autofetch': false,
} as const;
