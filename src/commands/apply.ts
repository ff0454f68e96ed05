import { command, commands, rows } from './command.ts';
import { all, is, scheme, set, signedIn } from './when.ts';

export const applyCommands = commands({
	'forge.submit.prepare': command('Send Patches…', 'send', signedIn, {
		git: 'always',
		rows: [[rows('list'), '1_work@8']],
		menus: { 'scm/title': [[all(is('scmProvider', 'git'), signedIn), 'z_forge@2']] },
	}),
	'forge.submit.preview': command('Preview Prepared Patches…', 'open-preview', 'never', {
		git: 'always',
	}),
	'forge.submit.editMail': command('Edit Message of Prepared Patches…', 'edit', 'never', {
		git: 'always',
		menus: { 'editor/title': [[all(scheme('forge-series'), signedIn), 'navigation@1']] },
	}),
	'forge.submit.send': command('Send Prepared Patches…', 'send', all(scheme('forge-series'), signedIn), {
		git: 'always',
		menus: { 'editor/title': [[all(scheme('forge-series'), signedIn), 'navigation@2']] },
	}),
	'forge.submit.discard': command('Discard Prepared Patches…', 'trash', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-series'), signedIn), '3_forge@1']] },
	}),
	'forge.apply.show': command('Show Patchset Being Applied…', 'git-merge', all(set('forge.applying'), signedIn), {
		git: 'always',
	}),
	'forge.apply.openConflicts': command(
		'Open Conflicts of Patchset…',
		'go-to-file',
		all(set('forge.applying'), signedIn),
		{
			git: 'always',
		},
	),
	'forge.apply.continue': command(
		'Continue Applying Patchset…',
		'debug-continue',
		all(set('forge.applying'), signedIn),
		{
			git: 'always',
		},
	),
	'forge.apply.skip': command('Skip Patch When Applying…', 'debug-step-over', all(set('forge.applying'), signedIn), {
		git: 'always',
	}),
	'forge.apply.abort': command('Abort Applying Patchset…', 'debug-stop', all(set('forge.applying'), signedIn), {
		git: 'always',
	}),
});
