import { viewIds, viewProblems, type ViewId, type ViewProblem } from '../commands/viewIds.ts';

const signIn = '[Sign In](command:forge.accounts.signIn)';
const check = 'What is wrong? [Check the connection](command:forge.checkConnection).';
const guides = 'New here? [Read the guides](command:forge.help).';
/** Only one view has a button; links in a sentence stay links. */
const start = [
	'Sign in to SourceHut (sr.ht), or to another server with the same services.',
	signIn,
	'No account? [Try the sample forge](command:forge.sample.start), or [take the tour](command:forge.getStarted).',
];

/** Why a view has no rows, and the remedy. The first group covers answers of a forge, the second the connection. */
const problems: Readonly<Record<ViewProblem, readonly [state: 'failed' | 'offline', ...lines: string[]]>> = {
	cancelled: ['failed', 'Loading was cancelled.'],
	signIn: ['failed', 'The forge does not accept your sign-in for this. Sign in again to continue.', signIn],
	busy: ['failed', 'Too many requests. Try again in a minute.'],
	notAllowed: ['failed', "You don't have access to this. Ask the operator of the forge for permission."],
	server: ['failed', 'The forge failed to respond. Try again later.'],
	other: ['failed', 'This could not be loaded. See the output channel "Forge Desk" for details.'],
	network: ['offline', 'The forge cannot be reached from here. Check the network, or the URLs in the settings.', check],
	certificate: [
		'offline',
		'The certificate of the forge is not valid on this computer. Ask the operator of the forge, or add the certificate to your system.',
		check,
	],
	proxy: ['offline', 'The proxy blocked the request. Check the proxy settings.', check],
};

interface Welcome {
	readonly signedOut: readonly string[];
	readonly empty: readonly string[];
}

/** Search and history start with an example. */
const welcomes: Readonly<Partial<Record<ViewId, Welcome>>> = {
	'forge.inbox': {
		signedOut: ['Mentions, assignments, replies and new versions of patchsets appear here after you sign in.'],
		empty: [
			'Nothing needs your attention. Mentions, assignments, replies, new versions of what you reviewed and changes of what you follow will appear here.',
		],
	},
	'forge.tickets': {
		signedOut: start,
		empty: [
			'You have no trackers yet. Follow one by its name or URL.',
			'[Follow a Tracker](command:forge.trackers.follow)',
			guides,
		],
	},
	'forge.lists': {
		signedOut: [
			'Your mailing lists and their patchsets appear here after you sign in.',
			'Lists of [email archives](command:forge.archives.follow), such as lore.kernel.org, need no account.',
		],
		empty: [
			'You have no lists and no subscriptions yet. Follow a list by its name or URL.',
			'[Follow a List](command:forge.lists.follow)',
			guides,
		],
	},
	'forge.repositories': {
		signedOut: ['Your repositories appear here after you sign in.'],
		empty: [
			'You have no repositories yet. Create one, or follow another by its name or URL.',
			'[Create a Repository](command:forge.repositories.create)',
			'[Follow a Repository](command:forge.repositories.follow)',
			guides,
		],
	},
};

export function viewsWelcome(): readonly { readonly view: ViewId; readonly contents: string; readonly when: string }[] {
	return viewIds.flatMap((view) => {
		const welcome = welcomes[view];
		const shown = (when: string, lines: readonly string[]): { view: ViewId; contents: string; when: string } => ({
			view,
			contents: lines.join('\n'),
			when: `${view}.state == ${when}`,
		});
		return [
			...(welcome ? [shown('signedOut', welcome.signedOut), shown('empty', welcome.empty)] : []),
			// The outbox reads only the disk.
			...viewProblems.flatMap((problem) => {
				if (view === 'forge.outbox') {
					return [];
				}
				const [state, ...lines] = problems[problem];
				const again = `[Try Again](command:forge.view.tryAgain?%22${view}%22)`;
				return [shown(`${state} && ${view}.problem == ${problem}`, [...lines, again])];
			}),
		];
	});
}
