/** A list that is never empty, so that picking from it always gives something. */
export type Some<T> = readonly [T, ...T[]];

export const conditions: Some<string> = [
	'after a terminal resize',
	'in files with CRLF line ends',
	'when the file is read-only',
	'on lines longer than 4096 characters',
	'inside tmux',
	'with 16 colours',
	'on FreeBSD',
	'with a wide-character locale',
	'after reopening the file',
	'when two splits show one file',
	'over a slow ssh connection',
	'with `set wrap off`',
	'on the last line',
	'since 0.9.2',
];

export const wishes: Some<readonly [title: string, label: string]> = [
	['Rectangular selection', 'input'],
	['A setting for the cursor shape per mode', 'ui'],
	['Read `.editorconfig`', 'files'],
	['Jump list that spans files', 'search'],
	['Show trailing spaces only outside the current line', 'ui'],
	['Persistent undo', 'undo'],
	['Filter a selection through a command', 'macros'],
	['Search history', 'search'],
	['Follow symbolic links in the file picker', 'picker'],
	['Preview of the replacement while typing', 'search'],
	['True colour in themes', 'themes'],
	['Soft hyphens at the wrap column', 'ui'],
	['Comment toggling that knows nested comments', 'syntax'],
	['Swap the two halves of a split', 'ui'],
	['Multiple clipboards with names', 'clipboard'],
	['Write backups into one directory', 'files'],
	['A count for macros, as in 5@', 'macros'],
	['Spell checking for comments only', 'spelling'],
	['Side-by-side view of a patch', 'diff'],
	['Fold by indentation', 'folding'],
	['Screen reader hints for the picker', 'accessibility'],
	['High contrast theme', 'accessibility'],
	['Remember the last search per file', 'search'],
	['Bidirectional text', 'ui'],
];

export const docTopics: Some<string> = [
	'the chapter on key bindings',
	'the page about themes',
	'the installation guide for Alpine',
	'the tutorial, lesson 3',
	'the reference of settings',
	'the FAQ on ssh and clipboards',
	'the manual page',
	'the plugin walk-through',
];

export const docTroubles: Some<string> = [
	'still shows the old names',
	'has a dead link',
	'contradicts the built-in help',
	'could use a picture',
	'skips a step',
	'has a typo in the first example',
	'is not reachable from the index',
];

export const terminals: Some<string> = [
	'foot 1.16',
	'xterm 390',
	'kitty 0.35',
	'alacritty 0.13',
	'the Linux console',
	'tmux 3.4',
	'WezTerm',
];

export const systems: Some<string> = [
	'Debian 12',
	'Fedora 40',
	'Alpine 3.20',
	'FreeBSD 14.1',
	'macOS 14',
	'NixOS 24.05',
	'Void Linux',
];

export const versions: Some<string> = ['0.8.7', '0.9.0', '0.9.1', '0.9.2', '0.10.0', 'a build of yesterday'];
