import { command, commands, rows, whileTrue } from './command.ts';
import { all, hasFolder, scheme, set, signedIn } from './when.ts';

const inClone = all(signedIn, scheme('file'), hasFolder);

export const listsCommands = commands({
	'forge.lists.follow': command('Follow List…', 'eye', 'never', {
		rows: [[rows('list.visited'), '8_follow@3']],
		titles: [['lists', '1_follow@1', signedIn]],
	}),
	'forge.archives.follow': command('Follow Email Archive…', 'archive', 'never', {
		titles: [['lists', '1_follow@2']],
	}),
	'forge.openMailbox': command('Open Mailbox…', 'inbox', 'never', {
		titles: [['lists', '1_follow@3']],
	}),
	'forge.archives.keep': command('Keep a Copy for Offline Reading…', 'cloud-download', 'never', {
		git: 'always',
		rows: [[rows('list', 'archived'), 'more/1@2']],
	}),
	'forge.archives.stopKeeping': command('Stop Keeping a Copy for Offline Reading', '', 'never', {
		rows: [[whileTrue(set('forge.hasKeptLists'), rows('list', 'archived')), 'more/1@3']],
	}),
	'forge.lists.show': command('Show List…', 'mail', 'never'),
	'forge.lists.unfollow': command('Unfollow List…', 'eye-closed', 'never', {
		rows: [
			[rows('list.followed'), '8_follow@3'],
			[rows(['list.own', 'list.subscribed'], 'follows'), '8_follow@3'],
		],
	}),
	'forge.lists.subscribe': command('Subscribe to List…', 'bell', 'never', {
		rows: [[rows(['list.own', 'list.followed', 'list.visited']), '8_follow@1']],
	}),
	'forge.lists.unsubscribe': command('Unsubscribe from List…', 'bell-slash', 'never', {
		rows: [[rows('list.subscribed'), '8_follow@1']],
	}),
	'forge.lists.openMail': command('Open Message…', 'mail', 'never', {
		rows: [[rows('mail'), '1_work@2']],
	}),
	'forge.lists.openPullChanges': command('Show Changes of Pull Request…', 'diff-multiple', 'never', {
		rows: [[rows('mail.thread', 'pull'), '1_work@3']],
	}),
	'forge.lists.copyFetchCommand': command('Copy Pull Request Fetch Command…', '', 'never', {
		rows: [[rows('mail.thread', 'pull'), 'copy/2@2']],
	}),
	'forge.lists.fetchPull': command('Fetch Pull Request…', '', 'never', {
		rows: [[rows('mail.thread', 'pull'), '1_work@4']],
	}),
	'forge.lists.reply': command('Reply to Message…', 'reply', signedIn, {
		rows: [[rows('mail'), '1_work@9']],
		menus: { 'editor/title': [[all(scheme('forge-mail'), signedIn), 'navigation@1']] },
		help: 'to the message in front, in its box on the page',
		keys: { 'shift+r': ['lists', 'patchset', 'thread'] },
	}),
	'forge.lists.lookUpKeys': command('Look Up Keys of Signatures in DNS…', 'key', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-mail'), signedIn), '2_forge@1']] },
	}),
	'forge.lists.newMail': command('New Message to List…', 'mail', signedIn, {
		rows: [[rows('list'), '1_work@9']],
	}),
	'forge.lists.sendMail': command('Send Message…', 'send', scheme('forge-reply'), {
		menus: { 'editor/title': [[scheme('forge-reply'), 'navigation@1']] },
	}),
	'forge.lists.discardMail': command('Discard Message…', 'trash', 'never', {
		menus: { 'editor/title': [[scheme('forge-reply'), 'navigation@2']] },
	}),
	'forge.lists.openThread': command('Open Thread…', 'comment-discussion', 'never', {
		rows: [[rows('mail'), '1_work@1']],
	}),
	'forge.lists.aboutLine': command('Messages About This Line', 'comment-discussion', inClone, {
		git: 'always',
		menus: { 'editor/context': [[inClone, 'z_forge@5']] },
	}),
	'forge.lists.aboutFile': command('Who Changed This File Lately…', 'history', inClone, {
		git: 'always',
		menus: { 'editor/context': [[inClone, 'z_forge@6']] },
	}),
	'forge.lists.filter': command('Filter Patchsets and Threads…', 'filter', 'never', {
		rows: [[rows('list'), 'inline@1', '1_work@1']],
	}),
	'forge.lists.searchArchive': command('Search All Messages of the List…', 'search', set('forge.hasArchives'), {
		rows: [[whileTrue(set('forge.hasArchives'), rows('list')), '1_work@2']],
	}),
	'forge.lists.removeArchive': command('Remove Downloaded Archive of the List', '', 'never', {
		rows: [[whileTrue(set('forge.hasArchives'), rows('list')), 'more/1@1']],
	}),
	'forge.lists.clearFilter': command('Clear Filter of Patchsets and Threads', 'clear-all', 'never', {
		rows: [[rows('list', 'filtered'), '1_work@2']],
	}),
	'forge.lists.group': command('Group Patchsets…', 'list-tree', 'never', {
		rows: [[rows('list'), '1_work@3']],
	}),
	'forge.lists.create': command('Create List…', 'add', 'never', {
		titles: [['lists', '2_list@1', signedIn]],
	}),
	'forge.lists.editDescription': command('Edit List Description…', 'edit', 'never', {
		rows: [[rows('list', 'mine'), 'more/2@1']],
	}),
	'forge.lists.delete': command('Delete List…', 'trash', 'never', {
		rows: [[rows('list', 'mine'), 'more/9@1']],
	}),
	'forge.lists.copyMessageId': command('Copy Message-ID…', 'copy', 'never', {
		rows: [[rows(['patchset', 'mail']), 'copy/2@1']],
	}),
	'forge.lists.nextUnread': command('Next Unread Patchset or Thread', 'arrow-down', 'part'),
	'forge.lists.markRead': command('Mark as Read', '', 'part'),
	'forge.lists.markUnread': command('Mark as Unread', '', 'part'),
	'forge.lists.markAllRead': command('Mark All Patchsets and Threads as Read', '', 'never', {
		rows: [[rows(['list', 'group']), '2_read@2']],
	}),
	'forge.lists.nextMail': command('Go to Next Message', 'arrow-down', 'part'),
	'forge.lists.previousMail': command('Go to Previous Message', 'arrow-up', 'part'),
});
