import { startSampleForge, type Ready } from '../src/sampleForge.ts';
import { setLater } from '../src/worlds/guest/colleagues.ts';
import { guestWorld } from '../src/worlds/guest/guestWorld.ts';
import { listen } from '../src/server/listen.ts';
import type { Areas } from '../src/areas/areas.ts';
import type { OpenRoute } from '../src/shared/area.ts';
import { createControlServer } from './controlServer.ts';
import { deliverLikeServers } from './deliverLikeServers.ts';
import { disturbedExchange } from './disturbedExchange.ts';
import { createFaults } from './faults.ts';
import { identityControl } from './identityControl.ts';
import { mailControl } from './mailControl.ts';
import { addManyFiles } from './manyFiles.ts';
import { tellManyPatches } from './manyPatches.ts';
import { tellManyTickets } from './manyTickets.ts';
import { testWorld } from './worlds/testWorld.ts';
import type { ControlledOptions } from './options.ts';
import { repositoryControl } from './repositoryControl.ts';
import { createRequestLog } from './requestLog.ts';
import { ticketControl } from './ticketControl.ts';

export interface ControlledForge {
	readonly ready: Ready & { readonly control: string };
	stop(): Promise<void>;
}

/** Starts the sample forge with a control origin for tests. */
export async function startControlledForge(options: ControlledOptions): Promise<ControlledForge> {
	const { firstPort, latencyMs } = options;
	const plan = options.world === 'guest' ? guestWorld(Date.now(), setLater) : testWorld(options.cacheDir);
	const faults = createFaults();
	const log = createRequestLog();
	let stoppedMs: number | undefined;
	const forge = await startSampleForge(options, {
		exchange: disturbedExchange({ faults, log, latencyMs }),
		crashed: (request, error) => log.crashed(request, error),
		plan: {
			...plan,
			async tell(areas, context) {
				const tale = await plan.tell(areas, context);
				await tellMany(areas, options);
				return tale;
			},
		},
		failureOf: (field) => faults.failureOf(field),
		deliver: deliverLikeServers,
		clockMs: () => stoppedMs ?? Date.now(),
	});
	let { world } = forge;
	const server = createControlServer({
		faults,
		log,
		routes: () => controlRoutes(world.areas),
		async reset() {
			stoppedMs = undefined;
			world = await forge.reset();
			faults.clear();
			log.clear();
		},
		idle: async () => await world.idle(),
		webhooks: () => world.webhooks(),
		stopClock: (atMs) => (stoppedMs = atMs),
	});
	const stop = async (): Promise<void> => {
		server.close();
		server.closeAllConnections();
		await forge.stop();
	};
	try {
		const port = await listen(server, firstPort === 0 ? 0 : firstPort + 4);
		return { ready: { ...forge.ready, control: `http://127.0.0.1:${port}` }, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Actions that real forges offer only on the web. */
function controlRoutes({ meta, todo, git, lists }: Areas): readonly OpenRoute[] {
	return [
		...identityControl(meta.room),
		...ticketControl(todo.room),
		...repositoryControl(git.room),
		...mailControl(lists.room),
	];
}

async function tellMany(
	{ todo, git, lists }: Areas,
	{ sizes: { tickets, files, series }, cacheDir }: ControlledOptions,
): Promise<void> {
	if (tickets > 0) {
		tellManyTickets(todo.room, tickets);
	}
	if (files > 0) {
		await addManyFiles(git.room, files);
	}
	if (series > 0) {
		await tellManyPatches(lists.room, series, cacheDir);
	}
}
