import { h, pushButton } from '../dom.ts';
import { icon } from '../icons.ts';
import type { PeopleContext } from '../mailPeople.ts';
import type { PageSteps } from '../pageWork.ts';
import type {
	PatchsetPart,
	PatchsetAction,
	PatchsetProtocol,
	PatchsetPageStrings,
} from '../protocol/patchsetProtocol.ts';
import { pilled } from '../texts.ts';
import type { Times } from '../times.ts';

/** Error of a part, in its place, with a retry button. */
export function partFailure(
	part: PatchsetPart,
	reason: string | undefined,
	context: PageContext,
): readonly HTMLElement[] {
	if (reason === undefined) {
		return [];
	}
	const again = pushButton('secondary', () => context.ask('again', part), context.strings.tryAgain);
	return [h('div', { class: 'failure', role: 'alert' }, icon('error'), h('span', {}, pilled(reason)), again)];
}

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
	/** Runs long work in slices. */
	readonly work: (steps: PageSteps) => void;
	/** Opens the box for a reply. */
	readonly reply: (mail: number) => void;
	/** Goes to a patch or reply on this page, else to its thread. */
	readonly goTo: (mail: number) => void;
	/** Shows a person; a click opens their page. */
	readonly people: PeopleContext;
}
