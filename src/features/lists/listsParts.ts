import type { Clock } from '../../base/clock.ts';
import type { Problems } from '../../editor/problems.ts';
import type { MailReading } from '../../mailParser.ts';
import type { Connections } from '../../state/connection.ts';

/** Makes mails readable. Never throws: what cannot be read comes back as it is, with the reason. */
export interface MailReader {
	readonly readMail: (envelope: string, options: { readonly evenIfLarge: boolean }) => Promise<MailReading>;
}

/** What lists need of the rest of the program. */
export interface ListsParts {
	readonly connections: Connections;
	/** Settles once everybody who is signed in now is connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly mailReader: MailReader;
	readonly problems: Problems;
	readonly clock: Clock;
}
