import { command, commands, rows } from './command.ts';
import { all, not, scheme, set, signedIn } from './when.ts';

export const trackersCommands = commands({
	'forge.trackers.follow': command('Follow Tracker…', 'eye', 'never', {
		titles: [['tickets', '1_follow@1', signedIn]],
	}),
	'forge.trackers.show': command('Show Tracker…', 'project', 'never'),
	'forge.trackers.unfollow': command('Unfollow Tracker…', 'eye-closed', 'never', {
		rows: [[rows('tracker.followed'), '8_follow@1']],
	}),
	'forge.filters.apply': command('Filter Tickets…', 'filter', 'never', {
		rows: [[rows('tracker'), 'inline@2', '2_show@1']],
		titles: [['tickets', 'navigation@2', all(signedIn, not(set('forge.tickets.filtered')))]],
	}),
	'forge.filters.clear': command('Clear Ticket Filter', 'clear-all', 'never', {
		titles: [['tickets', 'navigation@2', all(signedIn, set('forge.tickets.filtered'))]],
	}),
	'forge.filters.save': command('Save Ticket Filter…', 'save', 'never', {
		titles: [['tickets', '1_find@2', signedIn]],
	}),
	'forge.filters.edit': command('Edit Saved Filter…', 'edit', 'never', {
		rows: [[rows('filter'), 'inline@1', '1_work@1']],
	}),
	'forge.filters.delete': command('Delete Saved Filter…', '', 'never', {
		rows: [[rows('filter'), 'z_danger@1']],
	}),
	'forge.trackers.group': command('Group Tickets…', 'list-tree', 'never', {
		rows: [[rows('tracker'), '2_show@2']],
	}),
	'forge.trackers.sort': command('Sort Tickets…', 'sort-precedence', 'never', {
		rows: [[rows('tracker'), '2_show@3']],
	}),
	'forge.trackers.readWhole': command('Download All Tickets', '', 'never', {
		rows: [[rows('tracker'), 'more/1@1']],
	}),
	'forge.trackers.markAllRead': command('Mark All Tickets as Read', '', 'never', {
		rows: [[rows('tracker'), '3_read@2']],
	}),
	'forge.trackers.create': command('Create Tracker…', '', 'never', {
		titles: [['tickets', '2_manage@1', signedIn]],
	}),
	'forge.trackers.editDescription': command('Edit Tracker Description…', '', 'never', {
		rows: [[rows('tracker.own'), 'more/2@1']],
	}),
	'forge.trackers.saveDescription': command('Save Description', 'cloud-upload', 'never', {
		menus: { 'editor/title': [[scheme('forge-description'), 'navigation@1']] },
	}),
	'forge.trackers.delete': command('Delete Tracker…', '', 'never', {
		rows: [[rows('tracker.own'), 'more/9@1']],
	}),
	'forge.trackers.labels': command('Show Labels…', '', 'never', {
		rows: [[rows('tracker'), '2_show@4']],
	}),
	'forge.trackers.manageLabels': command('Manage Tracker Labels…', '', 'never', {
		rows: [[rows('tracker.own', 'makesLabels'), 'more/2@2']],
		keys: { 'shift+l': ['tickets', 'ticket'] },
	}),
	'forge.trackers.subscription': command('Change Tracker Subscription…', '', 'never', {
		rows: [[rows('tracker', 'mails'), 'more/1@2']],
	}),
});
