import { query } from '../transport/operations.ts';
import { droppableOfMail, mailWithThread } from './listAnswers.ts';

/** Finds a mail by Message-ID across all lists. Only servers of 2023 support it. */
export const findMailAnywhere = query(
	{ area: 'lists', scope: 'emails:read' } as const,
	'MailAnywhere',
	['message(messageID: $messageId String!)'],
	mailWithThread,
	droppableOfMail,
);
