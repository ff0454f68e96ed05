import type { CommitAction, CommitPageStrings } from '../protocol/commitProtocol.ts';
import type { PersonContext } from '../mailPeople.ts';
import type { Times } from '../times.ts';

/** Shared tools and actions for the parts of the page. */
export interface PageContext {
	readonly strings: CommitPageStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly times: Times;
	readonly run: (action: CommitAction) => void;
	readonly again: () => void;
	readonly compareWith: (parent: number) => void;
	readonly openFile: (key: number) => void;
	readonly openParent: (at: number) => void;
	readonly people: PersonContext;
}
