import { below } from '../door/below.ts';
import { graphql } from '../door/document.ts';
import { mailWithThread } from './listAnswers.ts';
import { droppableOfMail, mailWithThreadFields } from './listPieces.ts';

/** Finds a mail by Message-ID across all lists. Only servers of 2023 support it. */
export const findMailAnywhere = {
	area: 'lists',
	scope: 'emails:read',
	document: graphql(
		`query MailAnywhere($messageId: String!) { # Query
		message(messageID: $messageId) { # Email
			${mailWithThreadFields}
		}
	}`,
		droppableOfMail,
	),
	read: below(['message'], mailWithThread),
} as const;
