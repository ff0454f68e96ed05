import type { Figure, Measurement, Size } from './measurement.ts';

/** A module that measures. */
interface MeasuringModule {
	measure(size: Size): Promise<readonly Figure[]>;
}

/** In running order. Each loads just before its run, so that a broken module affects no other. */
export const measurements: readonly Measurement[] = [
	inEditor('hostActivation', 'everyone who starts the editor', () => import('./hostActivation.ts')),
	outside('list', 'who opens a tracker for the first time', () => import('./listTickets.ts')),
	outside('index', 'who follows a large tracker', () => import('./indexTickets.ts')),
	outside('keepIndex', 'who types while the index is written', () => import('./keepIndex.ts')),
	outside('filter', 'who filters a large tracker', () => import('./filterTickets.ts')),
	outside('tree', 'who works through a large tracker by key', () => import('./treeRows.ts')),
	outside('sizeScaling', 'who follows a tracker of a whole distribution', () => import('./sizeScaling.ts')),
	outside('ticketPage', 'who opens a ticket', () => import('./openPage.ts')),
	inEditor('openInEditor', 'who clicks or steps from ticket to ticket', () => import('./openInEditor.ts')),
	inEditor('ticketKeys', 'who works through tickets by key', () => import('./ticketKeys.ts')),
	inEditor('inboxKeys', 'who works through the Inbox by key', () => import('./inboxKeys.ts')),
	outside('series', 'who opens a series of hundreds of patches', () => import('./readSeries.ts')),
	outside('rangeDiff', 'reviewers of a second version', () => import('./rangeDiffs.ts')),
	outside('b4', 'maintainers who apply a series from a thread', () => import('./mailedThread.ts')),
	outside('unidiff', 'who opens a large patch', () => import('./diffToUnidiff.ts')),
	outside('parseDiff', 'who opens a large patch', () => import('./diffToParseDiff.ts')),
	outside('openSeries', 'who types while a series opens', () => import('./openSeries.ts')),
	outside('replies', 'reviewers, whose comments appear on the right line', () => import('./replyThreads.ts')),
	outside('largePages', 'reviewers of large series and long threads', () => import('./largePages.ts')),
	outside(
		'reviewKeys',
		'reviewers who go from file to file and from comment to comment',
		() => import('./reviewKeys.ts'),
	),
	inEditor(
		'reviewInEditor',
		'reviewers who open large series and step through their files',
		() => import('./reviewInEditor.ts'),
	),
	outside('reviewProofs', 'reviewers of a second version', () => import('./reviewProofs.ts')),
	outside('memory', 'everyone with little memory', () => import('./heldMemory.ts')),
	outside('walk', 'who opens or searches a remote folder', () => import('./walkRepository.ts')),
	outside('entries', 'who unfolds a folder or opens a file', () => import('./openEntries.ts')),
	outside('commitDiffs', 'who opens a commit', () => import('./commitDiffs.ts')),
	outside('wholeFiles', 'reviewers without a clone', () => import('./wholeFiles.ts')),
	outside('firstDiff', 'reviewers who open the first file of a patch', () => import('./firstDiff.ts')),
	outside('hostileInput', 'everyone whose forge or list holds a hostile text', () => import('./hostileInput.ts')),
	outside('webhooks', 'who listens for webhooks, also under attack', () => import('./webhookListener.ts')),
	outside('watching', 'who waits for news, and whoever runs the forge', () => import('./watching.ts')),
	outside('inbox', 'who marks entries of a full inbox in two windows', () => import('./bigInbox.ts')),
	outside('newWindow', 'everyone who opens another window', () => import('./newWindow.ts')),
	outside('archive', 'who opens a list of an email archive', () => import('./archiveRows.ts')),
	outside('graphql', 'everyone on a forge that speaks GraphQL', () => import('./graphqlScreens.ts')),
];

function inEditor(name: string, feltBy: string, load: () => Promise<MeasuringModule>): Measurement {
	return { ...outside(name, feltBy, load), isInEditor: true };
}

function outside(name: string, feltBy: string, load: () => Promise<MeasuringModule>): Measurement {
	return { name, feltBy, isInEditor: false, measure: async (size) => (await load()).measure(size) };
}
