import { parseArgs } from 'node:util';
import { commandLine, readOptions } from '../options.ts';
import { runForge } from '../runForge.ts';
import { startSampleForge } from '../sampleForge.ts';
import { setLater } from '../worlds/guest/colleagues.ts';
import { guestWorld } from '../worlds/guest/guestWorld.ts';
import { deliverHere } from '../webhooks/deliver.ts';
import { sendAnswer } from '../server/areaServer.ts';

runForge(async () => {
	const { values } = parseArgs({ options: commandLine });
	return await startSampleForge(readOptions(values), {
		exchange: async ({ request, response }, answer) => await sendAnswer(request, response, await answer()),
		crashed({ method = '', url = '' }, error) {
			const path = url.replace(/\?.*/, '');
			process.stderr.write(`${method} ${path}: ${String(error)}\n`);
		},
		failureOf: () => undefined,
		deliver: deliverHere,
		plan: guestWorld(Date.now(), setLater),
	});
});
