import { command, commands, merged, rows, linked } from './command.ts';
import { replaceablePages } from './viewIds.ts';
import { all, hasFolder, not, page, set, signedIn } from './when.ts';

export const generalCommands = commands({
	'forge.refresh': merged('Refresh', 'refresh', signedIn, {
		in: { inbox: 'forge.inbox.refresh' },
		otherwise: 'forge.view.refresh',
	}),
	'forge.accounts.signIn': command('Sign In…', 'sign-in', 'always'),
	'forge.accounts.signOut': command('Sign Out…', 'sign-out', signedIn, {
		titles: [[['inbox', 'tickets', 'lists', 'repositories'], '9_account@1', signedIn]],
	}),
	'forge.accounts.addForge': command('Add a Forge…', '', 'never', {
		titles: [[['inbox', 'tickets', 'lists', 'repositories'], '9_account@2']],
	}),
	'forge.checkConnection': command('Check Connection', 'pulse', 'always', {
		titles: [[['inbox', 'tickets', 'lists', 'repositories'], '7_help@3']],
	}),
	'forge.sample.start': command('Try the Sample Forge', '', 'always'),
	'forge.sample.end': command('End Sample Forge…', '', 'never', {
		titles: [[['inbox', 'tickets', 'lists', 'repositories'], '9_account@3', set('forge.sample.tried')]],
	}),
	'forge.follow': merged('Follow…', 'eye', 'always', {
		choices: [
			'forge.trackers.follow',
			'forge.lists.follow',
			'forge.repositories.follow',
			'forge.archives.follow',
			'forge.openMailbox',
			'forge.lists.subscribe',
		],
	}),
	'forge.create': merged('Create…', 'add', signedIn, {
		choices: ['forge.trackers.create', 'forge.lists.create', 'forge.repositories.create'],
	}),
	'forge.filter': merged(
		'Filter…',
		'filter',
		signedIn,
		{
			in: { tickets: 'forge.filters.apply', lists: 'forge.lists.filter' },
			choices: [
				'forge.filters.apply',
				'forge.filters.clear',
				'forge.filters.save',
				'forge.filters.edit',
				'forge.filters.delete',
				'forge.lists.filter',
				'forge.lists.clearFilter',
			],
		},
		{ keys: { f: ['tickets', 'lists'] } },
	),
	'forge.submitForm': merged(
		'Submit',
		'',
		'never',
		{
			in: { newTicket: 'forge.tickets.submit', description: 'forge.trackers.saveDescription' },
			otherwise: 'forge.tickets.submit',
		},
		{ keys: { 'ctrl+enter': ['newTicket', 'description'] } },
	),
	'forge.view.cancel': command('Cancel Loading', 'debug-stop', 'never', {
		titles: [
			['tickets', 'navigation@0', set('forge.tickets.loading')],
			['lists', 'navigation@0', set('forge.lists.loading')],
			['repositories', 'navigation@0', set('forge.repositories.loading')],
		],
	}),
	'forge.view.refresh': command('Refresh', 'refresh', 'never', {
		titles: [
			['tickets', 'navigation@9', all(not(set('forge.tickets.loading')), signedIn)],
			['lists', 'navigation@9', all(not(set('forge.lists.loading')), signedIn)],
			['repositories', 'navigation@9', all(not(set('forge.repositories.loading')), signedIn)],
		],
	}),
	'forge.view.tryAgain': command('Try Again', 'refresh', 'never'),
	'forge.view.showMore': command('Show More', '', 'never'),
	'forge.view.enter': command('Open Row and Go to Its Page', '', 'never'),
	'forge.copyReference': merged('Copy Reference…', 'copy', signedIn, {
		in: {
			tickets: 'forge.tickets.copyReference',
			ticket: 'forge.tickets.copyReference',
			patchset: 'forge.lists.copyMessageId',
			thread: 'forge.lists.copyMessageId',
		},
		choices: [
			'forge.tickets.copyReference',
			'forge.lists.copyMessageId',
			'forge.copyEditorLink',
			'forge.patchsets.copyCommand',
			'forge.repositories.copyCloneAddress',
		],
	}),
	'forge.copyLink': command('Copy Link', 'link', signedIn, {
		rows: [[rows(linked), 'copy/1@1']],
		keys: { y: ['tickets', 'ticket', 'lists', 'patchset', 'thread', 'repositories', 'repository', 'commit'] },
	}),
	'forge.copyEditorLink': command('Copy VS Code Link', '', 'never', {
		rows: [[rows(linked), 'copy/1@3']],
	}),
	'forge.openOnWeb': command('Open on the Web', 'globe', signedIn, {
		rows: [[rows(linked), '9_link@5']],
		keys: { w: ['tickets', 'ticket', 'lists', 'patchset', 'thread', 'repositories', 'repository', 'commit'] },
	}),
	'forge.goTo': command('Go to…', 'search', 'always', {
		titles: [['tickets', '1_find@1', signedIn]],
		keys: { g: ['anywhere'] },
	}),
	'forge.showKeys': command('Show Keyboard Shortcuts…', '', 'never', {
		titles: [[['inbox', 'tickets'], '7_help@1', signedIn]],
		keys: { h: ['anywhere'] },
	}),
	'forge.keepPage': command('Keep Page Open', '', page(...replaceablePages), {
		keys: { k: replaceablePages },
	}),
	'forge.getStarted': command('Get Started', 'rocket', 'never', {
		titles: [['tickets', '7_help@4']],
	}),
	'forge.help': command('Help…', 'question', 'always', {
		titles: [[['inbox', 'tickets', 'lists', 'repositories'], '7_help@2']],
	}),
	'forge.drafts.show': command('Show Drafts…', 'edit', signedIn, {
		titles: [['tickets', '1_find@3', signedIn]],
		keys: { d: ['anywhere'] },
	}),
	'forge.folders.show': command('Link Folder to Forge Project…', '', signedIn, {
		titles: [['tickets', '1_find@5', all(signedIn, hasFolder)]],
	}),
	'forge.people.open': command('Open Person…', 'person', 'never', {
		rows: [[rows(['patchset', 'mail']), 'more/4@1']],
		titles: [['lists', '1_mine@3', signedIn]],
	}),
	'forge.people.myMails': command('Show My Messages…', 'mail', 'never', {
		titles: [['lists', '1_mine@2', signedIn]],
	}),
});
