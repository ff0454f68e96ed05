/** User settings that every run starts from: quiet, offline, and no question or row that is not under test. */
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
	// It tells of more than twenty ports that anything on the machine listens on, by a notice before those of tests.
	'remote.autoForwardPorts': false,
	// The queues that are there from the start would push other rows out of sight.
	'forge.filters': [],
	// Tests look for tickets that they have resolved.
	'forge.tickets.show': 'all',
} as const;

/**
 * More of them for tests that run often: what moves by itself is drawn again and again, which is a fifth of what a window
 * takes. `npm run prove` has it as people do.
 */
export const stillSettings = { 'workbench.reduceMotion': 'on', 'editor.cursorBlinking': 'solid' } as const;
