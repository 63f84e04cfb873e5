import type { ArgumentOf } from '../../lib/argument-of.ts';
import { type CustomersParts, customersPage } from './list.tsx';
import { type CustomerParts, customerPage } from './page.tsx';
import { customerReportPage } from './report.tsx';

export const customerPages = (
  parts: CustomersParts & CustomerParts & ArgumentOf<typeof customerReportPage>,
) => [customersPage(parts), customerPage(parts), customerReportPage(parts)];
