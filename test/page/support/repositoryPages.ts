import '../../support/vscodeStub.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../../src/store/connection.ts';
import { fakeClock } from '../../support/fakeClock.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { repositoryConnections } from '../../support/fakeRepositories.ts';
import { openInBrowser, pausing, type BrowserWish, type OpenedPage } from '../../support/pageInBrowser.ts';
import { pagesInOneBrowser } from './pagesInOneBrowser.ts';
import { standFor } from '../../support/standFor.ts';
import type {
	RepositoriesContext,
	VerifySignature,
} from '../../../src/features/repositories/parts/repositoriesContext.ts';
import { fake } from '../../support/fake.ts';

/** Options of a repository or commit page. */
export interface RepositoryWish extends Omit<BrowserWish, 'explain' | 'kept'> {
	/** Saved state of an earlier page, except its subject. */
	readonly kept?: Readonly<Record<string, unknown>>;
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	/** Shows this commit. */
	readonly commit?: string;
	readonly verifySignature?: VerifySignature;
}

/** Opens these pages in the browser that all suites share, and closes each after its test. */
export function repositoryPagesInBrowser(): (wish: RepositoryWish) => Promise<OpenedPage> {
	return pagesInOneBrowser(async (tabs, { connection, ref, commit, verifySignature, ...wish }: RepositoryWish) => {
		const { repositoryPage } = await import('../../../src/features/repositories/start/repositoryPage.ts');
		const { commitPage } = await import('../../../src/features/repositories/commit/commitPage.ts');
		const { pageRenderer } = await import('../../../src/editor/pages/pageRenderer.ts');
		const render = (): Promise<typeof import('../../../src/render.ts')> => import('../../../src/render.ts');
		const parts = fake<RepositoriesContext>({
			connections: repositoryConnections(connection),
			ready: () => Promise.resolve(),
			render,
			pages: standFor<RepositoriesContext['pages']>({ inFront: () => undefined }),
			problems: quietProblems,
			clock: pausing(fakeClock()),
			trust: { isTrusted: () => true, onDidGrant: () => ({ dispose: () => undefined }) },
			...(verifySignature ? { verifySignature } : {}),
		});
		const within = { connectionKey: connection.key, ref };
		const explain = (error: unknown): string => quietProblems.explain(error).message;
		/** A page also saves its subject. */
		const waysOf = (subject: unknown): BrowserWish => ({
			...wish,
			kept: wish.kept && { subject, ...wish.kept },
			explain,
		});
		if (commit === undefined) {
			const content = repositoryPage(parts, { kind: 'repository', ...within }, pageRenderer(render));
			return await openInBrowser(tabs, content, waysOf(content.subject));
		}
		const content = commitPage(parts, { kind: 'commit', id: commit, ...within });
		return await openInBrowser(tabs, content, waysOf(content.subject));
	});
}
