import type { Measurement } from './measurement.ts';

/** In the order in which they are made. Each is loaded when its turn comes, so that one that cannot be loaded breaks no other. */
export const measurements: readonly Measurement[] = [
	inEditor('hostActivation', 'everyone who starts the editor', async (size) =>
		(await import('./hostActivation.ts')).hostActivation(size),
	),
	outside('list', 'who opens a tracker for the first time', async (size) =>
		(await import('./listTickets.ts')).listTickets(size),
	),
	outside('index', 'who follows a large tracker', async (size) =>
		(await import('./indexTickets.ts')).indexTickets(size),
	),
	outside('keepIndex', 'who types while the index is written', async (size) =>
		(await import('./keepIndex.ts')).keepIndex(size),
	),
	outside('filter', 'who filters a large tracker', async (size) =>
		(await import('./filterTickets.ts')).filterTickets(size),
	),
	outside('tree', 'who works through a large tracker by key', async (size) =>
		(await import('./treeRows.ts')).treeRows(size),
	),
	outside('sizeScaling', 'who follows a tracker of a whole distribution', async (size) =>
		(await import('./sizeScaling.ts')).sizeScaling(size),
	),
	outside('ticketPage', 'who opens a ticket', async (size) => (await import('./openPage.ts')).openPage(size)),
	inEditor('openInEditor', 'who clicks or steps from ticket to ticket', async (size) =>
		(await import('./openInEditor.ts')).openInEditor(size),
	),
	outside('series', 'who opens a series of hundreds of patches', async (size) =>
		(await import('./readSeries.ts')).readLongSeries(size),
	),
	outside('openSeries', 'who types while a series opens', async (size) =>
		(await import('./openSeries.ts')).openSeries(size),
	),
	outside('replies', 'reviewers, whose comments appear on the right line', async (size) =>
		(await import('./replyThreads.ts')).replyThreads(size),
	),
	outside('reviewProofs', 'reviewers of a second version', async (size) =>
		(await import('./reviewProofs.ts')).reviewProofs(size),
	),
	outside('memory', 'everyone with little memory', async (size) => (await import('./heldMemory.ts')).heldMemory(size)),
	outside('walk', 'who opens or searches a remote folder', async (size) =>
		(await import('./walkRepository.ts')).walkRepository(size),
	),
	outside('entries', 'who unfolds a folder or opens a file', async (size) =>
		(await import('./openEntries.ts')).openEntries(size),
	),
	outside('commitDiffs', 'who opens a commit', async (size) => (await import('./commitDiffs.ts')).commitDiffs(size)),
	outside('wholeFiles', 'reviewers without a clone', async (size) =>
		(await import('./wholeFiles.ts')).wholeFilesOfPatches(size),
	),
	outside('firstDiff', 'reviewers who open the first file of a patch', async (size) =>
		(await import('./firstDiff.ts')).firstDiff(size),
	),
	outside('hostileInput', 'everyone whose forge or list holds a hostile text', async (size) =>
		(await import('./hostileInput.ts')).hostileInput(size),
	),
	outside('webhooks', 'who listens for webhooks, also under attack', async (size) =>
		(await import('./webhookListener.ts')).webhookListener(size),
	),
	outside('watching', 'who waits for news, and whoever runs the forge', async (size) =>
		(await import('./watching.ts')).watching(size),
	),
	outside('inbox', 'who marks entries of a full inbox in two windows', async (size) =>
		(await import('./bigInbox.ts')).bigInbox(size),
	),
	outside('newWindow', 'everyone who opens another window', async (size) =>
		(await import('./newWindow.ts')).newWindow(size),
	),
	outside('graphql', 'everyone on a forge that speaks GraphQL', async (size) =>
		(await import('./graphqlScreens.ts')).graphqlScreens(size),
	),
];

function inEditor(name: string, feltBy: string, measure: Measurement['measure']): Measurement {
	return { name, feltBy, isInEditor: true, measure };
}

function outside(name: string, feltBy: string, measure: Measurement['measure']): Measurement {
	return { name, feltBy, isInEditor: false, measure };
}
