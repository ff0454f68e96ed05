import '../../support/vscodeStub.ts';
import type { Connection } from '../../../src/store/connection.ts';
import { fakeClock } from '../../support/fakeClock.ts';
import { fakeConnections } from '../../support/fakeConnection.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { openInBrowser, pausing, type BrowserWish, type OpenedPage } from '../../support/pageInBrowser.ts';
import { pagesInOneBrowser } from './pagesInOneBrowser.ts';
import type { PersonSection } from '../../../src/pages/protocol/personProtocol.ts';
import { standFor } from '../../support/standFor.ts';
import type { PeopleContext } from '../../../src/features/people/peopleContext.ts';

/** Options of a person's page. */
export interface PersonWish extends Omit<BrowserWish, 'explain'> {
	readonly connection: Connection;
	readonly name: string;
	readonly section?: PersonSection;
}

/** Opens pages of people in the browser that all suites share, and closes each after its test. */
export function personPages(): (wish: PersonWish) => Promise<OpenedPage> {
	return pagesInOneBrowser(async (tabs, { connection, name, section, ...wish }: PersonWish) => {
		const { personPage } = await import('../../../src/features/people/personPage.ts');
		const { pageRenderer } = await import('../../../src/editor/pages/pageRenderer.ts');
		const render = (): Promise<typeof import('../../../src/render.ts')> => import('../../../src/render.ts');
		const parts: PeopleContext = {
			connections: fakeConnections(connection),
			ready: () => Promise.resolve(),
			render,
			pages: standFor<PeopleContext['pages']>({}),
			problems: quietProblems,
			clock: pausing(fakeClock()),
		};
		const subject = { kind: 'person', connectionKey: connection.key, name } as const;
		const content = personPage(parts, subject, pageRenderer(render), section);
		const explain = (error: unknown): string => quietProblems.explain(error).message;
		return await openInBrowser(tabs, content, { ...wish, explain });
	});
}
