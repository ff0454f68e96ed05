import '../../support/vscodeStub.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import type { ServiceLook } from 'sourcehut/port/serviceLook.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';
import type { ForgeDirectory } from '../../../src/editor/accounts/forgeDirectory.ts';
import { SessionStore } from '../../../src/editor/accounts/sessionStore.ts';
import type { CheckContext, CheckNet } from '../../../src/features/connectionCheck/checkContext.ts';
import type { Listening } from '../../../src/store/listening/listening.ts';
import { fakeClock } from '../../support/fakeClock.ts';
import { fakeGit } from '../../support/fakeGit.ts';
import { fakeSecrets } from '../../support/fakeSecrets.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { makeInstance, makeSession } from '../../support/makeSession.ts';
import { openInBrowser, pausing, type BrowserWish, type OpenedPage } from '../../support/pageInBrowser.ts';
import { quietLog } from '../../support/quietLog.ts';
import { standFor } from '../../support/standFor.ts';
import { pagesInOneBrowser } from './pagesInOneBrowser.ts';

/** Options of the page. */
export interface ConnectionWish extends Omit<BrowserWish, 'explain'> {
	/** Answer of each service. */
	readonly look: (host: string, signal: AbortSignal) => Promise<ServiceLook>;
}

/** The page, and the command that somebody runs again. */
export interface ConnectionPage extends OpenedPage {
	readonly again: () => void;
}

/** Opens the report of one account with a token that may write nothing, in Restricted Mode. */
export function connectionPages(): (wish: ConnectionWish) => Promise<ConnectionPage> {
	return pagesInOneBrowser(async (tabs, { look, ...wish }: ConnectionWish) => {
		const { connectionPage } = await import('../../../src/features/connectionCheck/connectionPage.ts');
		const instance = makeInstance();
		const sessions = new SessionStore(fakeSecrets(), quietLog());
		await sessions.put(makeSession());
		const wanted = new Emitter<void>();
		const net: CheckNet = {
			protocol: async () => restProtocol(instance),
			look: (origin, signal) => look(new URL(origin).host, signal),
			ask: async () => ({ owner: '~alice', version: '0.61.3' }),
			proxyFor: async () => ({ kind: 'proxy', address: 'http://proxy.example:3128', source: 'setting' }),
			areCertificatesChecked: () => true,
			secrets: () => [],
		};
		const context: CheckContext = {
			sessions,
			forges: standFor<ForgeDirectory>({ all: () => [instance], byId: () => instance }),
			connections: { all: () => [], byKey: () => undefined, onDidChange: new Emitter<void>().event },
			ready: () => Promise.resolve(),
			net,
			isTrusted: () => false,
			git: {
				git: standFor<HardenedGit>({ run: () => Promise.reject(new GitFailure({ kind: 'notTrusted' })) }),
				tempFolder: '/tmp',
			},
			findGit: fakeGit(),
			email: undefined,
			home: '/home/alice',
			listening: standFor<Listening>({ state: { kind: 'off' }, addressFor: () => undefined }),
			post: () => Promise.reject(new Error('Nothing listens')),
			pages: standFor<CheckContext['pages']>({}),
			problems: quietProblems,
			program: 'Forge Desk 0.0.0',
			clock: pausing(fakeClock()),
		};
		const content = connectionPage(context, wanted.event);
		const explain = (error: unknown): string => quietProblems.explain(error).message;
		return { ...(await openInBrowser(tabs, content, { ...wish, explain })), again: () => wanted.fire() };
	});
}
