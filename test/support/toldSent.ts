import { refText } from 'sourcehut/port/namedRef.ts';
import type { Connection } from '../../src/store/connection.ts';

/** Sent mails reported to this connection: `~alice/devel <id>`. */
export function toldSent(connection: object): readonly string[] {
	const told: string[] = [];
	const sentMails: Connection['sentMails'] = {
		wentOut: (list, messageId) => void told.push(`${refText(list)} ${messageId}`),
		lacking: async () => 0,
		dispose: () => undefined,
	};
	Object.assign(connection, { sentMails });
	return told;
}
