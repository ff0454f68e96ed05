// A process that deliveries are sent to: our listener, or a bare server of Node's that takes them in and checks nothing.
// Arguments: `ours` or `bare`, the forge's public key, and which memory is looked at. It tells its port, and how it stands
// whenever it is asked; from `begin` on it looks at its memory.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { usedMemory } from '../support/usedMemory.ts';
import { openRealListener } from './realListener.ts';

/**
 * `resident`: all that the process has of the machine, garbage counted in, and nothing is collected by force.
 * `held`: what is in use after a collection, which takes time, so that no time is measured then.
 */
export type LookedAt = 'resident' | 'held';

/** How the process stands. */
export interface HookServerState {
	/** Ids of what was taken in. */
	readonly taken: readonly string[];
	readonly refused: number;
	/** What its memory has been more than at `begin`, at most; 0 before. */
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
/** Counted from the end of a look: one that takes as long as the pause would leave no turn for deliveries. */
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
