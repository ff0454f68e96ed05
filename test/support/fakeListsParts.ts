import './vscodeStub.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { PageHost } from '../../src/editor/pages/pageHost.ts';
import type { KeptThreadLook, ListsContext } from '../../src/features/lists/context/listsContext.ts';
import type { ThreadLook } from '../../src/pages/protocol/threadProtocol.ts';
import type { Connections } from '../../src/store/connection.ts';
import { fake } from './fake.ts';
import { fakeClock } from './fakeClock.ts';
import { fakeMailDrafts } from './fakeMailDrafts.ts';
import { fakeMailer } from './fakeMailer.ts';
import { keptInMemory } from './keptInMemory.ts';
import { readerHere } from './mailStores.ts';
import { noGit } from './noGit.ts';
import { fakeDrafts, quietProblems } from './fakeTicketsParts.ts';

const { pageRenderer } = await import('../../src/editor/pages/pageRenderer.ts');
const { listFinder } = await import('../../src/features/lists/find/listFinder.ts');
const { statusChanges } = await import('../../src/features/lists/status/statusChanges.ts');
const { appliedCommits } = await import('../../src/features/lists/checks/appliedCommits.ts');
const { appliedDocuments } = await import('../../src/features/lists/checks/appliedDocuments.ts');
const { patchsetChecks } = await import('../../src/features/lists/checks/patchsetChecks.ts');
const { draftCounts } = await import('../../src/features/lists/reviewState/draftCounts.ts');
const { patchsetReviews } = await import('../../src/features/lists/reviewState/patchsetReviews.ts');

const none = () => ({ dispose: () => undefined });
const unused = (): never => {
	throw new Error('Pages are opened by the test');
};

/** A host without an active page, which cannot open any. */
export const noPages: PageHost = {
	open: unused,
	restore: unused,
	inFront: () => undefined,
	front: () => undefined,
	dispose: () => undefined,
};

/** Parts of the lists feature, with the real mail parser. */
export function listsParts(connections: Connections, clock: Clock = fakeClock()): ListsContext {
	const drafts = fakeDrafts();
	let names = 0;
	const finder = listFinder(clock, () => undefined);
	const git = noGit();
	return {
		...git,
		connections,
		ready: () => Promise.resolve(),
		mailReader: readerHere,
		threadLook: threadLookInMemory(),
		pages: noPages,
		renderer: pageRenderer(() => import('../../src/render.ts')),
		problems: quietProblems,
		statuses: statusChanges(connections, quietProblems, finder.marks),
		finder,
		cloneClues: async () => [],
		reviews: patchsetReviews(clock),
		checks: patchsetChecks(),
		appliedDocuments: appliedDocuments(),
		appliedCommits: appliedCommits(connections, git.appliedCommitsOf),
		trust: { isTrusted: () => true, onDidGrant: () => ({ dispose: () => undefined }) },
		drafts,
		draftCounts: draftCounts(drafts),
		mailer: fakeMailer(),
		mailDrafts: fakeMailDrafts(drafts),
		newName: () => `id${(names += 1)}`,
		clock,
		view: fake<ListsContext['view']>({ visible: true, selection: [], onDidChangeCheckboxState: none }),
		editDescription: unused,
		folderOf: async () => undefined,
		seriesOf: () => keptInMemory(),
	};
}

/** Display options of threads, in memory. */
export function threadLookInMemory(first: Partial<ThreadLook> = {}): KeptThreadLook {
	let kept: ThreadLook = { areLinesWrapped: true, areQuotesOpen: false, ...first };
	return {
		now: () => kept,
		keep: async (next) => {
			kept = next;
		},
	};
}
