import { command, commands, rows, whileTrue } from './command.ts';
import { all, any, focused, page, scheme, set, signedIn } from './when.ts';

export const listsCommands = commands({
	'forge.lists.follow': command('Follow List…', 'eye', signedIn, {
		titles: [['lists', '1_follow@1', signedIn]],
	}),
	'forge.lists.unfollow': command('Unfollow List…', 'eye-closed', signedIn, {
		rows: [[rows('list.followed'), '8_follow@1']],
	}),
	'forge.lists.subscribe': command('Subscribe to List…', 'bell', signedIn, {
		rows: [[rows(['list.own', 'list.followed']), '8_follow@1']],
	}),
	'forge.lists.unsubscribe': command('Unsubscribe from List…', 'bell-slash', signedIn, {
		rows: [[rows('list.subscribed'), '8_follow@1']],
	}),
	'forge.lists.openMail': command('Open Mail…', 'mail', signedIn, {
		rows: [[rows('mail'), '1_work@2']],
	}),
	'forge.lists.openPullChanges': command('Show Changes of Pull Request…', 'diff-multiple', signedIn, {
		rows: [[rows('mail.thread', 'pull'), '1_work@3']],
	}),
	'forge.lists.copyFetchCommand': command('Copy Fetch Command of Pull Request…', '', signedIn, {
		rows: [[rows('mail.thread', 'pull'), '2_out@2']],
	}),
	'forge.lists.fetchPull': command('Fetch Pull Request…', '', signedIn, {
		rows: [[rows('mail.thread', 'pull'), '1_work@4']],
	}),
	'forge.lists.reply': command('Reply to Mail…', 'reply', signedIn, {
		rows: [[rows('mail'), '1_work@9']],
		menus: { 'editor/title': [[all(scheme('forge-mail'), signedIn), 'navigation@1']] },
	}),
	'forge.lists.newMail': command('New Mail to List…', 'mail', signedIn, {
		rows: [[rows('list'), '1_work@9']],
	}),
	'forge.lists.sendMail': command('Send Mail…', 'send', scheme('forge-reply'), {
		menus: { 'editor/title': [[scheme('forge-reply'), 'navigation@1']] },
	}),
	'forge.lists.discardMail': command('Discard Mail…', 'trash', scheme('forge-reply'), {
		menus: { 'editor/title': [[scheme('forge-reply'), 'navigation@2']] },
	}),
	'forge.lists.openThread': command('Open Thread…', 'comment-discussion', signedIn, {
		rows: [[rows('mail'), '1_work@1']],
	}),
	'forge.lists.filter': command('Filter Patchsets and Threads…', 'filter', signedIn, {
		rows: [[rows('list'), 'inline@1', '1_work@1']],
		keys: { f: ['lists'] },
	}),
	'forge.lists.searchArchive': command('Search All Mails of the List…', 'search', set('forge.hasArchives'), {
		rows: [[whileTrue(set('forge.hasArchives'), rows('list')), '1_work@2']],
	}),
	'forge.lists.removeArchive': command('Remove Downloaded Archive of the List', '', set('forge.hasArchives')),
	'forge.lists.clearFilter': command('Clear Filter of Patchsets and Threads', 'clear-all', signedIn, {
		rows: [[rows('list', 'filtered'), '1_work@2']],
	}),
	'forge.lists.group': command('Group Patchsets…', 'list-tree', signedIn, {
		rows: [[rows('list'), '1_work@3']],
	}),
	'forge.lists.create': command('Create List…', 'add', signedIn, {
		titles: [['lists', '2_list@1', signedIn]],
	}),
	'forge.lists.editDescription': command('Edit List Description…', 'edit', signedIn, {
		rows: [[rows('list', 'mine'), '7_list@1']],
	}),
	'forge.lists.delete': command('Delete List…', 'trash', signedIn, {
		rows: [[rows('list', 'mine'), '7_list@2']],
	}),
	'forge.lists.copyMessageId': command('Copy Message-ID…', 'copy', signedIn, {
		rows: [[rows(['patchset', 'mail']), '9_link@3']],
		keys: { y: ['lists', 'patchset', 'thread'] },
	}),
	'forge.lists.nextUnread': command('Next Unread Patchset or Thread', 'arrow-down', signedIn, {
		help: 'in the list, and after the last of them the first',
		keys: { 'shift+n': ['lists', 'patchset', 'thread'] },
	}),
	'forge.lists.markRead': command(
		'Mark as Read',
		'',
		all(signedIn, any(page('patchset'), page('thread'), focused('lists'))),
		{
			rows: [[rows(['patchset', 'mail.thread'], 'unread'), '2_read@1']],
			keys: { m: ['lists', 'patchset', 'thread'] },
		},
	),
	'forge.lists.markUnread': command(
		'Mark as Unread',
		'',
		all(signedIn, any(page('patchset'), page('thread'), focused('lists'))),
		{
			rows: [[rows(['patchset', 'mail.thread'], '-unread'), '2_read@1']],
			keys: { 'shift+m': ['lists', 'patchset', 'thread'] },
		},
	),
	'forge.lists.markAllRead': command('Mark All Patchsets and Threads as Read', '', signedIn, {
		rows: [[rows(['list', 'group']), '2_read@2']],
	}),
	'forge.lists.nextMail': command('Go to Next Mail', 'arrow-down', page('thread'), {
		keys: { n: ['thread'] },
	}),
	'forge.lists.previousMail': command('Go to Previous Mail', 'arrow-up', page('thread'), {
		keys: { p: ['thread'] },
	}),
});
