import type { Measurement } from './measurement.ts';

/** In the order in which they are made. Each is loaded when its turn comes, so that one that cannot be loaded breaks no other. */
export const measurements: readonly Measurement[] = [
	inEditor('hostActivation', async (size) => (await import('./hostActivation.ts')).hostActivation(size)),
	outside('list', async (size) => (await import('./listTickets.ts')).listTickets(size)),
	outside('index', async (size) => (await import('./indexTickets.ts')).indexTickets(size)),
	outside('keepIndex', async (size) => (await import('./keepIndex.ts')).keepIndex(size)),
	outside('filter', async (size) => (await import('./filterTickets.ts')).filterTickets(size)),
	outside('tree', async (size) => (await import('./treeRows.ts')).treeRows(size)),
	outside('sizeScaling', async (size) => (await import('./sizeScaling.ts')).sizeScaling(size)),
	outside('ticketPage', async (size) => (await import('./openPage.ts')).openPage(size)),
	inEditor('openInEditor', async (size) => (await import('./openInEditor.ts')).openInEditor(size)),
	outside('series', async (size) => (await import('./readSeries.ts')).readLongSeries(size)),
	outside('openSeries', async (size) => (await import('./openSeries.ts')).openSeries(size)),
	outside('replies', async (size) => (await import('./replyThreads.ts')).replyThreads(size)),
	outside('reviewProofs', async (size) => (await import('./reviewProofs.ts')).reviewProofs(size)),
	outside('memory', async (size) => (await import('./heldMemory.ts')).heldMemory(size)),
	outside('walk', async (size) => (await import('./walkRepository.ts')).walkRepository(size)),
	outside('entries', async (size) => (await import('./openEntries.ts')).openEntries(size)),
	outside('commitDiffs', async (size) => (await import('./commitDiffs.ts')).commitDiffs(size)),
	outside('wholeFiles', async (size) => (await import('./wholeFiles.ts')).wholeFilesOfPatches(size)),
	outside('firstDiff', async (size) => (await import('./firstDiff.ts')).firstDiff(size)),
	outside('hostileInput', async (size) => (await import('./hostileInput.ts')).hostileInput(size)),
	outside('webhooks', async (size) => (await import('./webhookListener.ts')).webhookListener(size)),
	outside('watching', async (size) => (await import('./watching.ts')).watching(size)),
	outside('inbox', async (size) => (await import('./bigInbox.ts')).bigInbox(size)),
	outside('newWindow', async (size) => (await import('./newWindow.ts')).newWindow(size)),
	outside('graphql', async (size) => (await import('./graphqlScreens.ts')).graphqlScreens(size)),
];

function inEditor(name: string, measure: Measurement['measure']): Measurement {
	return { name, isInEditor: true, measure };
}

function outside(name: string, measure: Measurement['measure']): Measurement {
	return { name, isInEditor: false, measure };
}
