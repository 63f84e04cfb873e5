const STATE_PATH = '/api/v1/trust';

export const pageAddress = (baseUrl: string, trustId: string): string => `${baseUrl}/trust/${trustId}`;
export const stateAddress = (baseUrl: string, trustId: string): string =>
  `${baseUrl}${STATE_PATH}/${trustId}`;
export const badgeAddress = (baseUrl: string, trustId: string): string =>
  `${stateAddress(baseUrl, trustId)}/badge.svg`;

export const EXAMPLE_TRUST_ID = '5kQ2vXo8ZtRb1LmN7yWcHd';
