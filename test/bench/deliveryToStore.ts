import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { readDelivery } from 'sourcehut/rest/deliveryHints.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import { deliveryBytes, exchange, makeSigner } from '../support/hookSender.ts';
import { makeTicket, makeTracker } from '../support/makeTicket.ts';
import { openedListener } from '../support/openedListener.ts';
import { watchedForge } from '../support/watchedForge.ts';
import { watchingWindow } from '../support/watchingWindow.ts';
import { startEcho } from './echoServer.ts';
import { ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

const rounds = { full: 210, smallest: 3 } as const;
/** In addition to the measured rounds. */
const mostWarmUps = 10;
const family = { kind: 'tracker', ref: { owner: '~alice', name: 'alpha' } } as const;

/**
 * From the first byte of a signed delivery until the store has read its ticket from an in-memory forge, relative to an
 * echo of the delivery plus one request. Each round names a new ticket, because the store limits repeated reads to the
 * polling rate.
 */
export async function deliveryToStore(size: Size): Promise<Figure> {
	const signer = makeSigner();
	const forge = watchedForge(systemClock);
	const ids = Array.from({ length: rounds[size] + mostWarmUps }, (_, at) => at + 1);
	forge.trackers.world.trackers.push(makeTracker());
	forge.trackers.world.tickets.set('~alice/alpha', ids.map((id) => makeTicket({ id })).toReversed());
	using owned = new Disposables();
	const window = owned.add(watchingWindow({ forge, clock: systemClock, perHour: 1_000_000 }));
	// The store reads only followed or known trackers.
	await window.tickets.tickets(family.ref, new AbortController().signal);
	let wanted = 0;
	let changed = Promise.withResolvers<void>();
	owned.add(
		window.tickets.onDidChange((change) => {
			if (change.kind === 'ticket' && change.ticket.id === wanted) {
				changed.resolve();
			}
		}),
	);
	using opened = await openedListener({
		publicKey: signer.publicKey,
		received(arrival) {
			if (arrival.kind === 'delivery') {
				const { event, body } = arrival.delivery;
				window.watch.take(family, readDelivery(family, event, body));
			}
		},
	});
	const send = async (port: number): Promise<void> => {
		const body = Buffer.from(JSON.stringify({ id: 1, ticket: { id: wanted } }));
		await exchange(port, deliveryBytes({ host: `127.0.0.1:${port}`, signer, event: 'event:create', body }));
	};
	const echo = await startEcho();
	try {
		const comparison = await compare(
			{
				name: 'ours',
				prepare() {
					wanted += 1;
					changed = Promise.withResolvers();
					forge.comment('~alice/alpha', wanted);
				},
				async run() {
					await Promise.all([send(opened.port), changed.promise]);
				},
			},
			{
				name: 'an echo and a request',
				async run() {
					await send(echo.port);
					await exchange(echo.port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${echo.port}\r\n\r\n`);
				},
			},
			rounds[size],
		);
		return ratioFigure('Signed delivery until its ticket is read anew, to an echo and one bare request', 3, comparison);
	} finally {
		await echo.stop();
	}
}
