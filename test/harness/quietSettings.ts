/** User settings of every run: quiet, offline, without unrelated questions and rows. */
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
	// Else the editor shows a notice about ports of the machine.
	'remote.autoForwardPorts': false,
	// The default filters push other rows out of sight.
	'forge.filters': [],
	// Tests look for resolved tickets.
	'forge.tickets.show': 'all',
} as const;

/** No animations in `npm test`: they take a fifth of a window's time. `npm run prove` has them. */
export const stillSettings = { 'workbench.reduceMotion': 'on', 'editor.cursorBlinking': 'solid' } as const;
