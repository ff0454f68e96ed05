import { command, commands, rows } from './command.ts';
import { all, scheme, signedIn } from './when.ts';

export const patchsetsCommands = commands({
	'forge.patchsets.open': command('Open Patchset…', 'git-pull-request', signedIn),
	'forge.patchsets.setStatus': command('Set Patchset Status…', 'tag', signedIn, {
		rows: [[rows('patchset'), 'inline@1', '1_work@1']],
		keys: { s: ['lists', 'patchset', 'thread'] },
	}),
	'forge.patchsets.undo': command('Undo Patchset Status', 'discard', signedIn, {
		keys: { u: ['lists', 'patchset', 'thread'] },
	}),
	'forge.patchsets.next': command('Next Patchset', 'arrow-down', signedIn, {
		help: 'as the view shows them, over the groups of a board',
		keys: { n: ['lists', 'patchset'] },
	}),
	'forge.patchsets.previous': command('Previous Patchset', 'arrow-up', signedIn, {
		keys: { p: ['lists', 'patchset'] },
	}),
	'forge.patchsets.openThread': command('Open Thread of Patchset…', 'comment-discussion', signedIn, {
		rows: [[rows('patchset'), '1_work@2']],
		keys: { v: ['lists', 'patchset', 'thread'] },
	}),
	'forge.patchsets.openDiff': command('Open Diff of Patch…', 'diff', signedIn, {
		rows: [[rows('mail.patch'), '1_work@3', 'inline@1']],
	}),
	'forge.patchsets.showRaw': command('View Raw Patch…', 'file-code', signedIn, {
		rows: [[rows(['mail.patch', 'patchFile']), '1_work@4']],
	}),
	'forge.patchsets.openCombined': command('Open Combined Diff of Patchset…', 'combine', signedIn, {
		rows: [[rows('patchset'), '1_work@4']],
	}),
	'forge.patchsets.searchOlder': command('Search Older Commits for Whole Files…', 'search', signedIn, {
		rows: [[rows(['patchset', 'mail.patch', 'patchFile']), '1_work@6']],
		menus: { 'editor/title': [[scheme('forge-patch'), '1_forge@1']] },
	}),
	'forge.patchsets.chooseRepository': command('Choose Repository for Patches…', 'repo', signedIn, {
		rows: [[rows('patchset'), '3_versions@6']],
		menus: { 'editor/title': [[scheme('forge-patch'), '1_forge@2']] },
	}),
	'forge.patchsets.save': command('Save Patchset as .mbox…', 'save', signedIn, {
		rows: [[rows('patchset'), '2_out@1']],
	}),
	'forge.patchsets.copyCommand': command('Copy git am Command…', 'terminal', signedIn, {
		rows: [[rows('patchset'), '2_out@2']],
		keys: { a: ['lists', 'patchset', 'thread'] },
	}),
	'forge.patchsets.checkApplies': command('Check Whether Patchset Applies…', 'checklist', signedIn, {
		rows: [[rows('patchset'), '1_work@5']],
	}),
	'forge.patchsets.apply': command('Apply Patchset…', 'git-merge', signedIn, {
		git: 'always',
		rows: [[rows('patchset'), '2_out@3']],
	}),
	'forge.patchsets.push': command('Push Applied Patchset…', 'repo-push', signedIn, {
		git: 'always',
	}),
	'forge.patchsets.removeWorktrees': command('Remove Worktrees of Patchsets…', 'trash', signedIn, {
		git: 'always',
	}),
	'forge.patchsets.suggestStatus': command('Suggest Patchset Status…', 'lightbulb', signedIn, {
		rows: [[rows('patchset'), '1_work@3']],
		keys: { i: ['lists', 'patchset', 'thread'] },
	}),
	'forge.patchsets.toggleViewed': command('Mark as Viewed or Not Viewed…', 'pass', signedIn, {
		rows: [[rows(['patchset', 'mail.patch', 'patchFile']), '1_work@5']],
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), 'navigation@1']] },
		help: 'the file in front, or the selected patches and files',
		keys: { v: ['diff'], 'shift+v': ['lists'] },
	}),
	'forge.patchsets.nextFile': command('Next File of Patchset', 'arrow-right', signedIn, {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '3_forge@1']] },
		help: 'of the series, patch by patch',
		keys: { right: ['diff'] },
	}),
	'forge.patchsets.previousFile': command('Previous File of Patchset', 'arrow-left', signedIn, {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '3_forge@2']] },
		keys: { left: ['diff'] },
	}),
	'forge.patchsets.nextPatch': command('Next Patch', 'arrow-down', signedIn, {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '3_forge@3']] },
		keys: { down: ['diff'] },
	}),
	'forge.patchsets.previousPatch': command('Previous Patch', 'arrow-up', signedIn, {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '3_forge@4']] },
		keys: { up: ['diff'] },
	}),
	'forge.patchsets.compareVersions': command('Compare Versions of Patchset…', 'compare-changes', signedIn, {
		rows: [[rows('patchset'), '3_versions@1']],
	}),
	'forge.patchsets.openVersionChanges': command('Open Changes Between Versions…', 'diff-multiple', signedIn, {
		rows: [[rows('patchset'), '3_versions@2']],
	}),
	'forge.patchsets.openChangesSinceReview': command('Open Changes Since My Last Review…', 'history', signedIn, {
		rows: [[rows('patchset'), '3_versions@3']],
	}),
	'forge.patchsets.linkVersion': command('Link Patchset to Another Version…', 'link', signedIn, {
		rows: [[rows('patchset'), '3_versions@4']],
	}),
	'forge.patchsets.unlinkVersion': command('Unlink Patchset from Another Version…', 'debug-disconnect', signedIn, {
		rows: [[rows('patchset'), '3_versions@5']],
	}),
	'forge.patchsets.mine': command('Show Patchsets I Sent…', 'git-pull-request', signedIn, {
		titles: [['lists', '1_mine@1', signedIn]],
	}),
});
