import '../support/vscodeStub.ts';
import { Agent, request } from 'undici';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { PageLink } from '../../src/editor/pages/pageHost.ts';
import type { TicketProtocol } from '../../src/pages/protocol/ticketProtocol.ts';
import { fakeConnection, fakeConnections } from '../support/fakeConnection.ts';
import { ticketsParts } from '../support/fakeTicketsParts.ts';
import { ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';
import { openAccount } from './packagedNet.ts';

const sizes = { full: { latencyMs: 10, rounds: 42 }, smallest: { latencyMs: 0, rounds: 1 } } as const;

const ref = { tracker: { owner: '~alice', name: 'website' }, id: 31 };
const connectionKey = 'sample-alice';

/**
 * From the command to the HTML of an uncached ticket in its page, against one bare request for that ticket. The renderer
 * is loaded, as for every page but the first of a window.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { latencyMs, rounds } = sizes[size];
	const { ticketPage } = await import('../../src/features/tickets/page/ticketPage.ts');
	const { pageRenderer } = await import('../../src/editor/pages/pageRenderer.ts');
	await using owned = new AsyncDisposableStack();
	const { forge, instance, connected, headers } = await openAccount(owned, { latencyMs });
	const agent = new Agent({ connections: 1 });
	owned.defer(() => agent.close());
	const renderer = pageRenderer(() => import('../../src/render.ts'));
	await renderer.load();
	const rest: Promise<unknown>[] = [];

	async function ours(): Promise<void> {
		const connection = Object.defineProperty(fakeConnection(connected.trackers), 'instance', { value: instance });
		const parts = { ...ticketsParts(fakeConnections(connection), unused), clock: systemClock };
		const signal = new AbortController().signal;
		const doings = { follow: unused.never, writing: signal, focusComposer: false, renderer };
		const content = ticketPage(parts, { kind: 'ticket', connectionKey, ref }, doings);
		const { handlers } = content.connect(linkTo(signal));
		const start = await handlers.load.handle(0);
		if (start.change?.head?.descriptionHtml === undefined) {
			throw new Error(`The page did not open: ${start.failure}`);
		}
		// The page does not wait for these reads. They must not run into the next sample.
		rest.push(connection.tickets.events(ref, signal), connection.tickets.trackers.labels(ref.tracker, signal));
	}

	async function bare(): Promise<void> {
		const url = `${forge.areas.todo}/api/trackers/website/tickets/31`;
		const { body } = await request(url, { dispatcher: agent, headers });
		JSON.parse(await body.text());
	}

	const comparison = await compare(
		{ name: 'ours', prepare: () => Promise.all(rest.splice(0)), run: ours },
		{ name: 'one bare request', prepare: () => Promise.all(rest.splice(0)), run: bare },
		rounds,
	);
	// The network closes next.
	await Promise.all(rest);
	const name = `Ticket page to its HTML, to one bare request at ${latencyMs} ms latency`;
	return [ratioFigure(name, 1.3, comparison)];
}

const unused = {
	never: (): never => {
		throw new Error('No page is opened by the host here');
	},
	open: (): never => unused.never(),
	restore: (): never => unused.never(),
	inFront: () => undefined,
	front: () => undefined,
	dispose: () => undefined,
};

function linkTo(signal: AbortSignal): PageLink<TicketProtocol> {
	return {
		tell: () => undefined,
		setTitle: () => undefined,
		mark: () => undefined,
		become: () => undefined,
		close: () => undefined,
		signal,
		owned: new Disposables(),
		isWatched: () => false,
		isVisible: () => false,
		entry: undefined,
		onDidWant: () => new Disposables(),
		onDidChangeWatched: () => new Disposables(),
		onDidShow: () => new Disposables(),
	};
}
