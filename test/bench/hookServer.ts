// Target process: the real listener, or a bare Node server without checks. Arguments: `ours` or `bare`, the forge's
// public key, and the kind of memory to sample. It reports its port, and its state on request; `begin` starts the
// memory samples.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { usedMemory } from '../support/usedMemory.ts';
import { openRealListener } from './realListener.ts';

/**
 * `resident`: memory of the process including garbage, without forced collections. `held`: memory in use after a forced
 * collection. Collections take time, so such runs measure no times.
 */
export type LookedAt = 'resident' | 'held';

export interface HookServerState {
	/** Ids of accepted deliveries. */
	readonly taken: readonly string[];
	readonly refused: number;
	/** Maximum memory growth since `begin`; 0 before. */
	readonly grownBytes: number;
}

const lookEveryMs = { resident: 5, held: 250 } as const;

const [kind, publicKey = '', memory] = process.argv.slice(2);
const taken: string[] = [];
let refused = (): number => 0;
let port = 0;
if (kind === 'ours') {
	const { listener } = await openRealListener({
		publicKey,
		family: { kind: 'tracker', ref: { owner: '~alice', name: 'alpha' } },
		received: (id) => void taken.push(id),
	});
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

const look = memory === 'held' ? usedMemory : (): number => process.memoryUsage.rss();
let before = 0;
let most = 0;
/** Schedules from the end of a sample: a slow sample would otherwise starve deliveries. */
function lookAgain(): void {
	setTimeout(
		() => {
			most = Math.max(most, look());
			lookAgain();
		},
		lookEveryMs[memory === 'held' ? 'held' : 'resident'],
	);
}
process.on('message', (asked) => {
	if (asked === 'begin') {
		before = look();
		most = before;
		lookAgain();
	}
	const state: HookServerState = { taken, refused: refused(), grownBytes: most - before };
	process.send?.(state);
});
process.on('disconnect', () => process.exit());
process.send?.(port);
