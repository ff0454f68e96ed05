import type { Forge, UserApi } from '../forge/forge.ts';
import { caller, type CallerOptions } from './caller.ts';
import { restFiles } from './restFiles.ts';
import { restLists } from './restLists.ts';
import { restRepositories } from './restRepositories.ts';
import { restTrackers } from './restTrackers.ts';
import { restUsers } from './restUsers.ts';
import { restWebhooks } from './restWebhooks.ts';
import { sureTrackers } from './sureTracker.ts';

/** A forge over its JSON API. Stateless; callers cache. */
export function restForge(options: CallerOptions): Forge & { readonly users: Required<UserApi> } {
	const calls = caller(options);
	const sure = sureTrackers(calls);
	return {
		me: options.me,
		users: restUsers(calls),
		trackers: restTrackers(calls, sure),
		lists: restLists(calls),
		repositories: { ...restRepositories(calls), ...restFiles(options) },
		webhooks: restWebhooks(calls, sure),
	};
}
