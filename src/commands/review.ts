import { command, commands, merged, rows } from './command.ts';
import { all, is, not, page, patchInFront, scheme, set, signedIn } from './when.ts';

export const reviewCommands = commands({
	'forge.comments.open': command('Open Comment', 'comment', 'never'),
	'forge.comments.goTo': command('Go to Comment…', 'comment-discussion', patchInFront, {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '2_forge@0']] },
		help: 'a list of all comments, by patch',
		keys: { q: ['diff'] },
	}),
	'forge.comments.next': command('Next Comment', 'arrow-down', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '2_forge@1']] },
	}),
	'forge.comments.previous': command('Previous Comment', 'arrow-up', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '2_forge@2']] },
	}),
	'forge.comments.nextUnanswered': command('Next Unanswered Comment', 'question', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '2_forge@3']] },
	}),
	'forge.comments.previousUnanswered': command('Previous Unanswered Comment', 'question', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '2_forge@4']] },
		keys: { 'shift+p': ['diff'] },
	}),
	'forge.review.manage': merged('Review…', 'comment-draft', patchInFront, {
		choices: [
			'forge.review.comment',
			'forge.review.setTrailer',
			'forge.review.setStatus',
			'forge.review.preview',
			'forge.review.editMail',
			'forge.review.send',
			'forge.review.moveDrafts',
			'forge.review.moveDraftsBack',
			'forge.review.discard',
		],
	}),
	'forge.comment': merged(
		'Comment',
		'comment',
		'never',
		{
			in: {
				tickets: 'forge.tickets.comment',
				ticket: 'forge.tickets.comment',
				lists: 'forge.review.comment',
				patchset: 'forge.review.comment',
				thread: 'forge.review.comment',
				diff: 'forge.review.commentOnLine',
			},
			otherwise: 'forge.tickets.comment',
		},
		{
			help: 'on the ticket, the line of a diff, or the series of a page',
			keys: { c: ['tickets', 'ticket', 'lists', 'patchset', 'thread', 'diff'] },
		},
	),
	'forge.review.commentOnLine': command('Comment on Line', 'comment', 'part'),
	'forge.review.addComment': command('Add Draft Comment', '', 'never', {
		enablement: not(set('commentIsEmpty')),
		menus: { 'comments/commentThread/context': [[is('commentController', 'forge.replies'), 'inline@1']] },
	}),
	'forge.review.editComment': command('Edit Draft Comment', 'edit', 'never', {
		menus: {
			'comments/comment/title': [[all(is('commentController', 'forge.replies'), is('comment', 'draft')), 'inline@1']],
		},
	}),
	'forge.review.saveComment': command('Save Draft Comment', '', 'never', {
		enablement: not(set('commentIsEmpty')),
		menus: {
			'comments/comment/context': [[all(is('commentController', 'forge.replies'), is('comment', 'draft')), 'inline@1']],
		},
	}),
	'forge.review.cancelEdit': command('Cancel', '', 'never', {
		menus: {
			'comments/comment/context': [[all(is('commentController', 'forge.replies'), is('comment', 'draft')), 'inline@2']],
		},
	}),
	'forge.review.discardComment': command('Discard Draft Comment…', 'trash', 'never', {
		menus: {
			'comments/comment/title': [[all(is('commentController', 'forge.replies'), is('comment', 'draft')), 'inline@2']],
		},
	}),
	'forge.review.applySuggestion': command('Commit Suggestion as Fixup…', 'git-commit', 'never', {
		git: 'always',
		menus: {
			'comments/comment/title': [
				[all(is('commentController', 'forge.replies'), is('comment', 'suggestion')), 'inline@1'],
			],
		},
	}),
	'forge.review.comment': command('Comment on Patch or Series…', 'comment', patchInFront, {
		rows: [[rows(['patchset', 'mail.cover', 'mail.patch', 'patchFile']), 'review/1@1']],
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '4_forge@1']] },
	}),
	'forge.review.suggestChange': command('Suggest Change…', 'edit', all(scheme('forge-patch'), signedIn), {
		menus: {
			'editor/title': [[all(scheme('forge-patch'), signedIn), '4_forge@2']],
			'editor/lineNumber/context': [[all(scheme('forge-patch'), signedIn), 'z_forge@1']],
			'editor/context': [[all(scheme('forge-patch'), signedIn), 'z_forge@0']],
		},
	}),
	'forge.review.addSuggestions': command(
		'Add Suggested Changes to Review',
		'check',
		all(scheme('forge-suggestion'), signedIn),
		{
			menus: { 'editor/title': [[all(scheme('forge-suggestion'), signedIn), 'navigation@1']] },
		},
	),
	'forge.review.setTrailer': command('Add Review Trailer…', 'verified', 'never', {
		rows: [[rows(['patchset', 'mail.cover', 'mail.patch', 'patchFile']), 'review/1@2']],
		menus: {
			'editor/title': [[all(scheme('forge-patch'), signedIn), '4_forge@3']],
		},
		help: 'to the patch in front or the series',
		keys: { 'shift+k': ['lists', 'patchset', 'thread', 'diff'] },
	}),
	'forge.review.setStatus': command('Set Status with Review…', 'tag', 'never', {
		rows: [[rows(['patchset', 'mail.patch', 'patchFile']), 'review/1@3']],
		menus: {
			'editor/title': [
				[all(scheme('forge-patch'), signedIn), '4_forge@4'],
				[all(scheme('forge-review'), signedIn), '1_forge@1'],
				[all(page('patchset'), signedIn), '4_forge@2'],
			],
		},
	}),
	'forge.review.preview': command('Preview Review…', 'open-preview', 'never', {
		rows: [[rows('patchset', 'drafts'), 'review/2@1']],
		menus: {
			'editor/title': [[all(scheme('forge-patch'), signedIn), '4_forge@5']],
		},
		keys: { 'shift+z': ['lists', 'patchset', 'thread', 'diff'] },
	}),
	'forge.review.editMail': command('Edit Message of Review…', 'edit', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-review'), signedIn), 'navigation@1']] },
	}),
	'forge.review.send': command('Send Review…', 'send', signedIn, {
		rows: [[rows('patchset', 'drafts'), 'review/2@2']],
		menus: {
			'editor/title': [
				[all(scheme('forge-patch'), signedIn), '4_forge@6'],
				[all(scheme('forge-review'), signedIn), 'navigation@2'],
			],
		},
		keys: { z: ['lists', 'patchset', 'thread', 'diff'] },
	}),
	'forge.review.moveDrafts': command('Move Draft Comments to Newest Version', 'arrow-up', 'never'),
	'forge.review.moveDraftsBack': command('Move Draft Comments Back', 'arrow-down', 'never'),
	'forge.review.discard': command('Discard Review…', 'trash', 'never', {
		rows: [[rows('patchset', 'drafts'), 'review/2@3']],
	}),
	'forge.comments.toggleEarlier': command('Show or Hide Comments on Earlier Versions', 'history', 'never', {
		menus: { 'editor/title': [[all(scheme('forge-patch'), signedIn), '2_forge@5']] },
	}),
});
