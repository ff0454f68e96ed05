import { command, commands, rows } from './command.ts';
import { all, is, not, scheme, set, signedIn } from './when.ts';

export const ticketsCommands = commands({
	'forge.tickets.open': command('Open Ticket…', 'go-to-file', 'never'),
	'forge.tickets.comment': command('Comment on Ticket…', 'comment', signedIn, {
		rows: [[rows('ticket', '-noComment'), '1_work@1']],
	}),
	'forge.tickets.resolve': command('Resolve Ticket…', 'pass', signedIn, {
		rows: [[rows('ticket.open', '-noTriage'), 'inline@1', '1_work@2']],
		keys: { r: ['tickets', 'ticket'] },
	}),
	'forge.tickets.reopen': command('Reopen Ticket…', 'issue-reopened', 'never', {
		rows: [[rows('ticket.resolved', '-noTriage'), 'inline@1', '1_work@3']],
	}),
	'forge.tickets.new': command('New Ticket…', 'add', signedIn, {
		rows: [[rows('tracker'), 'inline@1', '1_work@1']],
		titles: [['tickets', 'navigation@1', signedIn]],
		keys: { t: ['anywhere'] },
	}),
	'forge.tickets.next': command('Next Ticket', 'arrow-down', 'part'),
	'forge.tickets.nextUnread': command('Next Unread Ticket', 'arrow-down', 'part'),
	'forge.tickets.previous': command('Previous Ticket', 'arrow-up', 'part'),
	'forge.tickets.setStatus': command('Set Ticket Status…', '', 'part'),
	'forge.tickets.labels': command('Change Ticket Labels…', 'tag', signedIn, {
		rows: [[rows('ticket', '-noTriage'), '1_work@5', 'inline@2']],
		keys: { l: ['tickets', 'ticket'] },
	}),
	'forge.tickets.assign': command('Assign Ticket…', 'person-add', all(signedIn, set('forge.canAssign')), {
		rows: [[rows('ticket', 'assigns'), '1_work@6']],
		keys: { a: ['tickets', 'ticket'] },
	}),
	'forge.tickets.edit': command('Edit Ticket', 'edit', all(signedIn, set('forge.canEdit')), {
		rows: [[rows('ticket', 'edits'), '1_work@8']],
		keys: { 'shift+e': ['tickets', 'ticket'] },
	}),
	'forge.tickets.subscription': command('Change Ticket Subscription…', '', 'never', {
		rows: [[rows('ticket', 'mails'), 'more/1@1']],
		keys: { 'shift+s': ['tickets', 'ticket'] },
	}),
	'forge.tickets.delete': command('Delete Ticket…', '', 'never', {
		rows: [[rows('ticket', 'deletes'), 'z_danger@1']],
	}),
	'forge.tickets.undo': command('Undo Ticket Change', '', 'part'),
	'forge.tickets.copyReference': command('Copy Ticket Reference', '', 'never', {
		rows: [[rows('ticket'), 'copy/2@1']],
	}),
	'forge.tickets.editOnWeb': command('Edit Ticket on the Web…', '', 'never', {
		rows: [[rows('ticket', '-edits'), '1_work@8']],
	}),
	'forge.tickets.markRead': command('Mark as Read', '', 'part'),
	'forge.tickets.markUnread': command('Mark as Unread', '', 'part'),
	'forge.tickets.newFromHere': command('New Ticket from Here…', '', all(signedIn, set('editorIsOpen')), {
		menus: { 'editor/context': [[all(signedIn, not(scheme('forge-new')), not(scheme('forge-mail'))), 'z_forge@1']] },
	}),
	'forge.tickets.submit': command('Submit New Ticket', 'send', 'never', {
		menus: { 'editor/title': [[scheme('forge-new'), 'navigation@1']] },
	}),
	'forge.tickets.discard': command('Discard New Ticket…', 'trash', 'never', {
		menus: { 'editor/title': [[scheme('forge-new'), 'navigation@2']] },
	}),
	'forge.tickets.startWork': command('Start Work on Ticket…', 'git-branch', signedIn, {
		git: 'always',
		rows: [[rows('ticket'), '1_work@7']],
		keys: { b: ['tickets', 'ticket'] },
	}),
	'forge.tickets.unpushed': command('Show Tickets in Unpushed Commits', '', signedIn, {
		git: 'always',
		titles: [['tickets', '1_find@4', signedIn]],
		menus: { 'scm/title': [[all(is('scmProvider', 'git'), signedIn), 'z_forge@1']] },
	}),
});
