import type { PatchsetAction, PatchsetProtocol } from '../protocol/patchsetProtocol.ts';
import type { PatchsetPageStrings } from '../protocol/patchsetStrings.ts';
import type { PeopleContext } from '../mailPeople.ts';
import type { Times } from '../times.ts';

type Requests = PatchsetProtocol['requests'];

/** Shared tools and actions for the parts of the page. */
export interface PageContext {
	readonly strings: PatchsetPageStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly times: Times;
	/** The page shows an error of the request. */
	readonly ask: <Name extends keyof Requests>(name: Name, value: Requests[Name]['in']) => void;
	readonly run: (action: PatchsetAction) => void;
	/** Shows a person; a click opens their page. */
	readonly people: PeopleContext;
}
