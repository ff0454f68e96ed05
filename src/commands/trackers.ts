import { command, commands, rows } from './command.ts';
import { all, not, scheme, set, signedIn } from './when.ts';

export const trackersCommands = commands({
	'forge.trackers.follow': command('Follow Tracker…', 'eye', signedIn, {
		titles: [['tickets', '1_follow@1', signedIn]],
	}),
	'forge.trackers.unfollow': command('Unfollow Tracker…', 'eye-closed', signedIn, {
		rows: [[rows('tracker.followed'), '8_follow@1']],
	}),
	'forge.filters.apply': command('Filter Tickets…', 'filter', signedIn, {
		rows: [[rows('tracker'), 'inline@2', '2_show@1']],
		titles: [['tickets', 'navigation@2', all(signedIn, not(set('forge.tickets.filtered')))]],
		keys: { f: ['tickets'] },
	}),
	'forge.filters.clear': command('Clear Ticket Filter', 'clear-all', signedIn, {
		titles: [['tickets', 'navigation@2', all(signedIn, set('forge.tickets.filtered'))]],
	}),
	'forge.filters.save': command('Save Ticket Filter…', 'save', signedIn, {
		titles: [['tickets', '1_find@2', signedIn]],
	}),
	'forge.filters.edit': command('Edit Saved Filter…', 'edit', signedIn, {
		rows: [[rows('filter'), 'inline@1', '1_work@1']],
	}),
	'forge.filters.delete': command('Delete Saved Filter…', '', signedIn, {
		rows: [[rows('filter'), '9_danger@1']],
	}),
	'forge.trackers.group': command('Group Tickets…', 'list-tree', signedIn, {
		rows: [[rows('tracker'), '2_show@2']],
	}),
	'forge.trackers.sort': command('Sort Tickets…', 'sort-precedence', signedIn, {
		rows: [[rows('tracker'), '2_show@3']],
	}),
	'forge.trackers.readWhole': command('Download All Tickets', '', signedIn, {
		rows: [[rows('tracker'), '3_read@1']],
	}),
	'forge.trackers.markAllRead': command('Mark All Tickets as Read', '', signedIn, {
		rows: [[rows('tracker'), '3_read@2']],
	}),
	'forge.trackers.create': command('Create Tracker…', '', signedIn, {
		titles: [['tickets', '2_manage@1', signedIn]],
	}),
	'forge.trackers.editDescription': command('Edit Tracker Description…', '', signedIn, {
		rows: [[rows('tracker.own'), '6_manage@1']],
	}),
	'forge.trackers.saveDescription': command('Save Description', 'cloud-upload', scheme('forge-description'), {
		menus: { 'editor/title': [[scheme('forge-description'), 'navigation@1']] },
		keys: { 'ctrl+enter': ['description'] },
	}),
	'forge.trackers.delete': command('Delete Tracker…', '', signedIn, {
		rows: [[rows('tracker.own'), '9_danger@1']],
	}),
	'forge.trackers.labels': command('Show Labels…', '', signedIn, {
		rows: [[rows('tracker'), '2_show@4']],
	}),
	'forge.trackers.manageLabels': command('Manage Tracker Labels…', '', signedIn, {
		rows: [[rows('tracker.own', 'makesLabels'), '6_manage@2']],
		keys: { 'shift+l': ['tickets', 'ticket'] },
	}),
	'forge.trackers.subscription': command('Change Tracker Subscription…', '', signedIn, {
		rows: [[rows('tracker', 'mails'), '8_follow@2']],
	}),
});
