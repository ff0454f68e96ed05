import '../../support/vscodeStub.ts';
import type { PageRenderer } from '../../../src/editor/pages/pageRenderer.ts';
import type { Problems } from '../../../src/editor/ask/problems.ts';
import type { TicketSubject } from '../../../src/features/tickets/subjects/subjects.ts';
import type { TicketsContext } from '../../../src/features/tickets/context/ticketsContext.ts';
import type { Connections } from '../../../src/store/connection.ts';
import type { Drafts } from '../../../src/store/drafts/drafts.ts';
import type { DraftDocuments } from '../../../src/features/tickets/drafts/draftDocuments.ts';
import { fake } from '../../support/fake.ts';
import { fakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { quietProblems, ticketsParts } from '../../support/fakeTicketsParts.ts';
import { openInBrowser, pausing, type OpenedPage } from '../../support/pageInBrowser.ts';
import type { PageTabs } from '../../support/pageTabs.ts';
import type { PageTheme } from '../../support/pageThemes.ts';

/** Options of a ticket page. */
export interface PageWish {
	readonly connections: Connections;
	readonly subject: TicketSubject;
	readonly theme?: PageTheme;
	readonly width?: number;
	readonly height?: number;
	/** CSS zoom as a user sets it: 2 is 200 %. */
	readonly zoom?: number;
	/** Saved state of an earlier page. */
	readonly kept?: unknown;
	/** The entry to open. */
	readonly entry?: number;
	/** True to focus the comment box. */
	readonly focusComposer?: boolean;
	/** A loaded renderer, as for every page except the first. */
	readonly renderer?: PageRenderer;
	/** Shared parts of several pages, for state of the host across pages. */
	readonly parts?: TicketsContext;
	/** The test controls the page's clock. */
	readonly hasOwnTime?: boolean;
	/** Inlines scripts and styles, as in every page of a type except the first. */
	readonly carriesTexts?: boolean;
	/** Omits the security policy, so injected content takes effect. */
	readonly withoutPolicy?: boolean;
	/** Text for a failure, if the test chooses it. */
	readonly explain?: (error: unknown) => string;
}

/** A ticket page and its host. */
export interface PageInBrowser extends OpenedPage {
	/** Links opened on the host. */
	readonly followed: readonly string[];
	/** Resolves with the next draft that the host receives. */
	readonly nextDraft: () => Promise<string>;
	/** Shows another ticket in the same document. */
	readonly step: (subject: TicketSubject) => void;
	/** The host's clock. */
	readonly clock: FakeClock;
}

/** Opens the page of one ticket. */
export async function openTicketPage(tabs: PageTabs, wish: PageWish): Promise<PageInBrowser> {
	const { forgetArrived } = await import('../../../src/app/settledWrites.ts');
	const { ticketPage } = await import('../../../src/features/tickets/page/ticketPage.ts');
	const { pageRenderer } = await import('../../../src/editor/pages/pageRenderer.ts');
	const followed: string[] = [];
	const unused = (): never => {
		throw new Error('Pages are opened by the test');
	};
	const clock = fakeClock();
	const parts =
		wish.parts ??
		ticketsParts(wish.connections, {
			open: unused,
			restore: unused,
			inFront: () => undefined,
			front: () => undefined,
			dispose: () => undefined,
		});
	let keeping = Promise.withResolvers<string>();
	const drafts: Drafts = {
		...parts.drafts,
		async keep(about, draft) {
			await parts.drafts.keep(about, draft);
			keeping.resolve(draft.text);
		},
	};
	for (const connection of wish.connections.all()) {
		const documents = fake<DraftDocuments>({ textOf: () => undefined, finish: () => Promise.resolve() });
		connection.journal.onDelivered(forgetArrived(drafts, documents, connection));
	}
	const explain = (error: unknown): string => wish.explain?.(error) ?? quietProblems.explain(error).message;
	const told: Problems = { ...quietProblems, explain: (error) => ({ message: explain(error), action: undefined }) };
	const contentOf = (subject: TicketSubject): ReturnType<typeof ticketPage> =>
		ticketPage({ ...parts, drafts, problems: told, clock: pausing(clock) }, subject, {
			follow: async (href) => void followed.push(href),
			writing: new AbortController().signal,
			focusComposer: wish.focusComposer === true,
			renderer: wish.renderer ?? pageRenderer(parts.render),
		});
	const opened: OpenedPage = await openInBrowser(tabs, contentOf(wish.subject), { ...wish, explain });
	return {
		...opened,
		followed,
		clock,
		step: (subject) => opened.become(contentOf(subject)),
		nextDraft() {
			keeping = Promise.withResolvers<string>();
			return keeping.promise;
		},
	};
}
