import type { WorldPlan } from '../../src/areas/areas.ts';
import { oddThings } from '../odd/oddThings.ts';
import { tellMailWorld } from './lists/mailWorld.ts';
import { tellRepositories } from './repositories/tellRepositories.ts';
import { testProjects } from './testProjects.ts';
import { testPeople } from './testPeople.ts';
import { tellTicketWorld } from './tickets/ticketWorld.ts';
import { worldEndMs } from './worldTime.ts';

/** The world of the tests: large, odd and hostile. Identical at every start. */
export const testWorld = (cacheDir: string): WorldPlan => ({
	people: testPeople,
	projects: testProjects,
	endMs: worldEndMs,
	async tell({ todo, git, lists }, context) {
		tellTicketWorld(todo.room.store, context.users, oddThings.tickets);
		await Promise.all([
			tellRepositories(git.room, cacheDir, oddThings.names),
			tellMailWorld(lists.room.store, context, cacheDir, oddThings.threads),
		]);
		return undefined;
	},
});
