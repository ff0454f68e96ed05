import { query } from '../door/operations.ts';
import { droppableOfMail, mailWithThread, mailWithThreadFields } from './listAnswers.ts';

/** Finds a mail by Message-ID across all lists. Only servers of 2023 support it. */
export const findMailAnywhere = query(
	{ area: 'lists', scope: 'emails:read' } as const,
	['MailAnywhere($messageId: String!)', 'message(messageID: $messageId): Email'],
	mailWithThreadFields,
	mailWithThread,
	droppableOfMail,
);
