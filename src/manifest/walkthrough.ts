/** A step of the walkthrough. A line of the text with nothing but a link is a button. Bold text has two asterisks, code two backticks. */
interface Step {
	readonly id: string;
	readonly title: string;
	readonly text: readonly string[];
	/** Describes the picture `media/walkthrough/<id>.svg`. */
	readonly picture: string;
	/** Any of these events checks the step. */
	readonly done: readonly string[];
}

const steps: readonly Step[] = [
	{
		id: 'signIn',
		title: 'Sign in, or try the sample',
		text: [
			'Choose SourceHut (sr.ht) or your own server, and paste a token.',
			'[Sign In](command:forge.accounts.signIn)',
			'No account? The sample runs a small forge on this computer. You are ~alice, who maintains pebble, and colleagues reply to you.',
			'[Try the Sample Forge](command:forge.sample.start)',
		],
		picture: 'A list of forges, with SourceHut first',
		done: ['onContext:forge.tickets.state == ready'],
	},
	{
		id: 'ticket',
		title: 'Open a ticket and comment',
		text: [
			'Open **Assigned to me** in the Tickets view and select a ticket. Write a comment below its timeline, and send it with ``Ctrl+Enter``.',
			'[Show Tickets](command:forge.tickets.focus)',
			'Your text is a draft until the forge has accepted it.',
		],
		picture: 'A list of tickets beside the page of one ticket',
		done: ['onContext:activeWebviewPanelId == forge.ticket'],
	},
	{
		id: 'queue',
		title: 'Work through a queue',
		text: [
			'A filter is a queue over all your trackers. The button below opens its next ticket. ``Alt+J R`` resolves a ticket, and ``Alt+J U`` undoes the last change (``Ctrl+Alt+J`` on a Mac).',
			'[Next Ticket](command:forge.next)',
			'[All Keyboard Shortcuts](command:forge.showKeys)',
		],
		picture: 'A queue of tickets, with an arrow from one to the next',
		done: ['onCommand:forge.next'],
	},
	{
		id: 'review',
		title: 'Review a patchset',
		text: [
			'Open **All Lists** in the Lists view and choose a patchset. Its files open in the diff of the editor. Comment on a line, then send the review as email with your git.',
			'[Show Lists](command:forge.lists.focus)',
		],
		picture: 'Two sides of a diff, with a comment on one line',
		done: ['onContext:activeWebviewPanelId == forge.patchset'],
	},
	{
		id: 'folder',
		title: 'Link this folder to its project',
		text: [
			'Open a clone, and ``#12`` in its code and commit messages becomes a link with a card. Forge Desk reads the tracker from the git remotes. You can choose another one.',
			'[Link This Folder](command:forge.folders.show)',
		],
		picture: 'A line of code with a card about a ticket',
		done: ['onCommand:forge.folders.show'],
	},
];

/** The page *Get Started with Forge Desk*. */
export const walkthroughs = [
	{
		id: 'start',
		title: 'Get Started with Forge Desk',
		description: 'SourceHut (sr.ht) tickets, patches and repositories in VS Code.',
		icon: 'media/icon.png',
		steps: steps.map(({ id, title, text, picture, done }) => ({
			id,
			title,
			description: text.join('\n'),
			media: { svg: `media/walkthrough/${id}.svg`, altText: picture },
			completionEvents: done,
		})),
	},
];
