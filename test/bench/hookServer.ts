// A process that deliveries are sent to: our listener, or a bare server of Node's that takes them in and checks nothing.
// Arguments: `ours` or `bare`, and the forge's public key. It tells its port, and how it stands whenever it is asked.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import { openListener } from '../../src/listener/openListener.ts';
import { hookPath } from '../support/hookSender.ts';
import { keyOf } from '../support/openedListener.ts';
import { quietLog } from '../support/quietLog.ts';
import { usedMemory } from '../support/usedMemory.ts';

/** How the process stands. */
export interface HookServerState {
	/** Ids of what was taken in. */
	readonly taken: readonly string[];
	readonly refused: number;
	/** What more is in use than when the process was first asked, after everything that is not has been collected. */
	readonly heldBytes: number;
	/** What resident memory has grown by since then at most, garbage counted in. */
	readonly grownBytes: number;
}

const lookEveryMs = 5;

const [kind, publicKey = ''] = process.argv.slice(2);
const taken: string[] = [];
let refused = (): number => 0;
let port = 0;
if (kind === 'ours') {
	const opening = await openListener(
		{
			port: 0,
			hosts: () => [],
			hookAt: (path) => (path === hookPath ? { key: keyOf(publicKey) } : undefined),
			forged: () => undefined,
			answer: () => undefined,
			received: (arrival) => void taken.push(arrival.kind === 'delivery' ? arrival.delivery.id : 'many'),
			clock: systemClock,
			log: quietLog(),
		},
		new AbortController().signal,
	);
	if (opening.kind !== 'open') {
		throw new Error(`The listener was not opened: ${opening.kind}`);
	}
	const { listener } = opening;
	port = listener.port;
	refused = () => [...listener.refusals.values()].reduce((sum, count) => sum + count, 0);
} else {
	const server = createServer((request, response) => {
		request.resume().on('end', () => {
			taken.push(String(request.headers['x-webhook-delivery']));
			response.writeHead(204, { Connection: 'close' }).end();
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	port = typeof address === 'object' && address !== null ? address.port : 0;
}

let before: { readonly held: number; readonly resident: number } | undefined;
let most = 0;
setInterval(() => {
	most = Math.max(most, process.memoryUsage.rss());
}, lookEveryMs);
process.on('message', () => {
	const held = usedMemory();
	if (before === undefined) {
		most = process.memoryUsage.rss();
		before = { held, resident: most };
	}
	const state: HookServerState = {
		taken,
		refused: refused(),
		heldBytes: held - before.held,
		grownBytes: most - before.resident,
	};
	process.send?.(state);
});
process.on('disconnect', () => process.exit());
process.send?.(port);
