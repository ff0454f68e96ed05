import type { Clock } from '../../base/clock.ts';
import type { Problems } from '../../editor/problems.ts';
import type { MailReading } from '../../mailParser.ts';
import type { Connections } from '../../state/connection.ts';

/** What the bundle that reads mails offers. */
export interface MailParserChunk {
	/** Mails beyond this are read only when somebody asks for it; in characters of the envelope. */
	readonly largestMail: number;
	readonly readMail: (envelope: string, options: { readonly evenIfLarge: boolean }) => Promise<MailReading>;
}

/** What lists need of the rest of the program. */
export interface ListsParts {
	readonly connections: Connections;
	/** Settles once everybody who is signed in now is connected. Never rejects. */
	readonly ready: () => Promise<void>;
	/** Loads the mail parser on first use. */
	readonly mailParser: () => Promise<MailParserChunk>;
	readonly problems: Problems;
	readonly clock: Clock;
}
