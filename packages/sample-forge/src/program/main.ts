import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { commandLine, readOptions } from '../options.ts';
import { runForge } from '../runForge.ts';
import { PortTaken, startSampleForge } from '../sampleForge.ts';
import { setLater } from '../worlds/guest/colleagues.ts';
import { guestWorld } from '../worlds/guest/guestWorld.ts';
import { deliverHere } from '../webhooks/deliver.ts';
import { sendAnswer } from '../server/areaServer.ts';

/** The request of a window that uses the forge of another window. It stays open until the forge ends. */
const watchPath = /^\/watch\/([0-9a-f]{32})$/;

runForge(async () => {
	const { values } = parseArgs({ options: commandLine });
	const options = readOptions(values);
	let secret: string | null = null;
	const start = async () =>
		await startSampleForge(options, {
			async exchange({ request, response }, answer) {
				const [, nonce] = watchPath.exec(request.url ?? '') ?? [];
				if (nonce === undefined || secret === null) {
					await sendAnswer(request, response, await answer());
					return;
				}
				// Another program on this port could answer, too.
				const proof = createHmac('sha256', secret).update(nonce).digest('hex');
				response.writeHead(200, { 'X-Sample-Proof': proof }).flushHeaders();
			},
			crashed({ method = '', url = '' }, error) {
				const path = url.replace(/\?.*/, '');
				process.stderr.write(`${method} ${path}: ${String(error)}\n`);
			},
			failureOf: () => undefined,
			deliver: deliverHere,
			clockMs: Date.now,
			plan: guestWorld(Date.now(), setLater),
		});
	try {
		// The second try restores the state of another first start.
		const forge = await start().catch((error: unknown) => (isOvertaken(error) ? start() : Promise.reject(error)));
		secret = forge.ready.client.secret;
		return forge;
	} catch (error) {
		if (
			error instanceof PortTaken &&
			!process.stdout.write(`${JSON.stringify({ taken: error.port, by: error.ready })}\n`)
		) {
			await once(process.stdout, 'drain');
		}
		throw error;
	}
});

function isOvertaken(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
