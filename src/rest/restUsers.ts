import type { UserApi } from '../forge/forge.ts';
import type { Caller } from './caller.ts';
import { observedEndpoints } from './observedEndpoints.ts';
import { userEndpoints } from './userEndpoints.ts';

const versionEndpoints = {
	todo: observedEndpoints.todoVersion,
	git: observedEndpoints.gitVersion,
	lists: observedEndpoints.listsVersion,
};

export function restUsers({ call }: Caller): Required<UserApi> {
	return {
		user: (area, name, signal) => call(userEndpoints[area], { params: {}, owner: name, signal }),
		version: (area, signal) => call(versionEndpoints[area], { params: {}, signal }),
	};
}
