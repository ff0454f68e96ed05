import { command, commands, merged, rows } from './command.ts';
import { all, patchInFront, scheme, signedIn } from './when.ts';

export const patchsetsCommands = commands({
	'forge.patchsets.open': command('Open Patchset…', 'git-pull-request', 'never'),
	'forge.patchsets.setStatus': command('Set Patchset Status…', 'tag', 'never'),
	'forge.patchsets.undo': command('Undo Patchset Status', 'discard', 'part'),
	'forge.patchsets.next': command('Next Patchset', 'arrow-down', 'part'),
	'forge.patchsets.previous': command('Previous Patchset', 'arrow-up', 'part'),
	'forge.patchsets.openThread': command('Open Thread of Patchset…', 'comment-discussion', 'never', {
		rows: [[rows('patchset'), '1_work@2']],
		keys: { 'shift+t': ['lists', 'patchset'] },
	}),
	'forge.patchsets.openDiff': command('Open Diff of Patch…', 'diff', 'never', {
		rows: [[rows('mail.patch'), '1_work@3', 'inline@1']],
	}),
	'forge.patchsets.showRaw': command('View Raw Patch…', 'file-code', 'never', {
		rows: [[rows(['mail.patch', 'patchFile']), '1_work@4']],
	}),
	'forge.patchsets.openCombined': command('Open Combined Diff of Patchset…', 'combine', patchInFront, {
		rows: [[rows('patchset'), '1_work@4']],
	}),
	'forge.patchsets.searchOlder': command('Load Full Files from Older Commits…', 'search', 'never', {
		rows: [[rows(['patchset', 'mail.patch', 'patchFile']), 'more/2@2']],
		menus: { 'editor/title': [[scheme('forge-patch'), '1_forge@1']] },
	}),
	'forge.patchsets.chooseRepository': command('Choose Repository for Patches…', 'repo', 'never', {
		rows: [[rows('patchset'), 'more/2@1']],
		menus: { 'editor/title': [[scheme('forge-patch'), '1_forge@2']] },
	}),
	'forge.patchsets.save': command('Save Patchset as .mbox…', 'save', 'never', {
		rows: [[rows('patchset'), 'more/3@1']],
	}),
	'forge.patchsets.copyCommand': command('Copy git am Command…', 'terminal', 'never', {
		rows: [[rows('patchset'), 'copy/2@2']],
	}),
	'forge.patchsets.checkApplies': command('Check if Patchset Applies…', 'checklist', patchInFront, {
		rows: [[rows('patchset'), 'more/1@2']],
	}),
	'forge.patchsets.apply': command('Apply Patchset…', 'git-merge', signedIn, {
		git: 'always',
		rows: [[rows('patchset'), '1_work@5']],
		keys: { 'shift+a': ['lists', 'patchset', 'thread', 'diff'] },
	}),
	'forge.patchsets.showDifferences': command('Show Differences of Applied Patchset…', 'diff', signedIn, {
		git: 'always',
	}),
	'forge.patchsets.undoApplying': command('Undo Applying Patchset…', 'discard', signedIn, { git: 'always' }),
	'forge.patchsets.push': command('Push Applied Patchset…', 'repo-push', patchInFront, {
		git: 'always',
		keys: { 'shift+u': ['lists', 'patchset', 'thread', 'diff'] },
	}),
	'forge.patchsets.finishApplied': command('Finish Applied Patchset…', 'check-all', 'never', {
		git: 'always',
		rows: [[rows('patchset'), 'more/1@4']],
	}),
	'forge.patchsets.removeWorktrees': command('Remove Patchset Worktrees…', 'trash', signedIn, {
		git: 'always',
	}),
	'forge.patchsets.forgetAddresses': command('Forget Second Addresses…', 'trash', 'never', {
		rows: [[rows('patchset'), 'more/3@2']],
	}),
	'forge.patchsets.suggestStatus': command('Show Suggested Patchset Status…', 'lightbulb', 'never', {
		rows: [[rows('patchset'), 'more/1@1']],
		keys: { i: ['lists', 'patchset', 'thread'] },
	}),
	'forge.patchsets.snooze': command('Snooze Patchset…', 'clock', 'part'),
	'forge.patchsets.unsnooze': command('Unsnooze Patchset', 'bell', 'never', {
		rows: [[rows('patchset', 'snoozed'), 'more/1@3']],
	}),
	'forge.patchsets.toggleViewed': command('Mark as Viewed or Not Viewed…', 'pass', 'never', {
		rows: [[rows(['patchset', 'mail.patch', 'patchFile']), '1_work@6']],
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), 'navigation@1']] },
		help: 'the file in front, or the selected patches and files',
		keys: { v: ['diff', 'lists'] },
	}),
	'forge.patchsets.nextFile': command('Next File of Patchset', 'arrow-right', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '3_forge@1']] },
		help: 'of the series, patch by patch; from a page or row the first file',
		keys: { right: ['diff', 'patchset', 'thread', 'lists'] },
	}),
	'forge.patchsets.nextUnviewed': command('Next Unviewed File', 'eye', 'never', {
		help: 'of the series; from a page or row the first one',
		keys: { j: ['diff', 'patchset', 'thread', 'lists'] },
	}),
	'forge.patchsets.previousFile': command('Previous File of Patchset', 'arrow-left', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '3_forge@2']] },
		keys: { left: ['diff'] },
	}),
	'forge.patchsets.nextPatch': command('Next Patch', 'arrow-down', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '3_forge@3']] },
		keys: { down: ['diff'] },
	}),
	'forge.patchsets.previousPatch': command('Previous Patch', 'arrow-up', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '3_forge@4']] },
		keys: { up: ['diff'] },
	}),
	'forge.patchsets.compareVersions': command('Compare Versions of Patchset…', 'compare-changes', patchInFront, {
		rows: [[rows('patchset', 'versions'), 'versions/1@1']],
	}),
	'forge.patchsets.openVersionChanges': command('Open Changes Between Versions…', 'diff-multiple', 'never', {
		rows: [[rows('patchset', 'versions'), 'versions/1@2']],
	}),
	'forge.patchsets.openChangesSinceReview': command('Open Changes Since My Last Review…', 'history', patchInFront, {
		rows: [[rows('patchset', 'versions'), 'versions/1@3']],
	}),
	'forge.patchsets.ownComments': command('Show What Became of My Comments…', 'comment-discussion', 'never', {
		rows: [[rows('patchset', 'versions'), 'versions/1@4']],
	}),
	'forge.patchsets.linkVersion': command('Link Patchset to Another Version…', 'link', 'never', {
		rows: [[rows('patchset'), 'more/2@3']],
	}),
	'forge.patchsets.unlinkVersion': command('Unlink Patchset from Another Version…', 'debug-disconnect', 'never', {
		rows: [[rows('patchset', 'linked'), 'versions/2@1']],
	}),
	'forge.mine': merged('Show My Patchsets and Messages…', 'account', signedIn, {
		choices: ['forge.patchsets.mine', 'forge.people.myMails', 'forge.submit.preview'],
	}),
	'forge.patchsets.mine': command('Show Patchsets I Sent…', 'git-pull-request', 'never', {
		titles: [['lists', '1_mine@1', signedIn]],
	}),
});
